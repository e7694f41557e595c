import { catalog } from '#lib/catalog/catalog.ts';
import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import {
  announcedBytes,
  folderList,
  folderQuery,
  outputBody,
  outputQuery,
  resultsQuery,
} from '#lib/http/parsers/handover/handover.ts';
import { sendQuery } from '#lib/http/parsers/handover/object-queries.ts';
import { presentFolder } from '#lib/http/presenters/present-folder.ts';
import { ok, temporaryRedirect } from '#lib/http/respond.ts';
import { createOutputTaker } from '#lib/jobs/passes/create-output-taker.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { signSend } from '#lib/jobs/passes/sign-object.ts';
import { takeFolder } from '#lib/jobs/passes/take-folder.ts';
import { takeResults } from '#lib/jobs/passes/take-results.ts';
import { openBucket } from '../buckets.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

const passes = createPasses(readEnvironment(PassEnvironment).PASS_SECRET);
const context = { table, catalog, openBucket, ...jobFiles };
const takeOutput = createOutputTaker(context);

export const handler = publicHandler(endpoints, 'take-results', {
  take: answerAnybody(
    { query: resultsQuery, body: announcedBytes },
    async ({ path: { job_id: jobId }, query, body: bytes }) => {
      const at = new Date();
      const account = passes.read(query.pass, { purpose: 'results', jobId, at });
      return temporaryRedirect(await takeResults(context, account, jobId, { ...query, bytes, at }));
    },
  ),
  object: answerAnybody({ query: sendQuery }, async ({ path, query: { pass, ...file } }) => {
    const { job_id: jobId } = path;
    const account = passes.read(pass, { purpose: 'send', jobId, at: new Date() });
    return temporaryRedirect(await signSend(context, account, jobId, file));
  }),
  follow: answerAnybody(
    { query: outputQuery, body: outputBody },
    async ({ path: { job_id: jobId }, query, body: sent }) => {
      const account = passes.read(query.pass, { purpose: 'output', jobId, at: new Date() });
      return ok({ followed: await takeOutput(account, { jobId, run: query.run_number }, sent) });
    },
  ),
  folder: answerAnybody(
    { query: folderQuery, body: folderList },
    async ({ path: { job_id: jobId }, query, body: list }) => {
      const at = new Date();
      const account = passes.read(query.pass, { purpose: 'results', jobId, at });
      const { maxBytes, measured } = await takeFolder(context, account, jobId, {
        ...query,
        list,
        at,
      });
      return ok(presentFolder(account, { maxBytes, isInReach: false }, measured));
    },
  ),
});
