import { catalog } from '#lib/catalog/catalog.ts';
import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { passQuery, scriptQuery } from '#lib/http/parsers/handover/handover.ts';
import { fetchQuery } from '#lib/http/parsers/handover/object-queries.ts';
import { createJobAddresses } from '#lib/http/presenters/job-addresses.ts';
import { okFile, temporaryRedirect } from '#lib/http/respond.ts';
import { claimRun, findRun } from '#lib/jobs/passes/claim-run.ts';
import { handOutInput } from '#lib/jobs/passes/find-active-job.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { signFetch } from '#lib/jobs/passes/sign-object.ts';
import { writeScript } from '#lib/jobs/passes/write-script.ts';
import { openBucket } from '../buckets.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

const { PASS_SECRET } = readEnvironment(PassEnvironment);
const passes = createPasses(PASS_SECRET);
/** Writes only paths, because a container knows the service by the address that led it here. */
const addressesOf = createJobAddresses({ PUBLIC_URL: '', PASS_SECRET });

export const handler = publicHandler(endpoints, 'hand-out-input', {
  input: answerAnybody({ query: passQuery }, async ({ path, query }) => {
    const { job_id: jobId } = path;
    const account = passes.read(query.pass, { purpose: 'input', jobId, at: new Date() });
    return temporaryRedirect(await handOutInput(table, jobFiles.inputs, account, jobId));
  }),
  object: answerAnybody({ query: fetchQuery }, async ({ path, query: { pass, number } }) => {
    const { job_id: jobId } = path;
    const account = passes.read(pass, { purpose: 'fetch', jobId, at: new Date() });
    const context = { table, catalog, openBucket };
    return temporaryRedirect(await signFetch(context, account, jobId, number));
  }),
  script: answerAnybody({ query: scriptQuery }, async ({ path, query, isHead }) => {
    const { job_id: jobId } = path;
    const at = new Date();
    const purpose = query.task === undefined ? 'script' : 'array';
    const account = passes.read(query.pass, { purpose, jobId, at });
    if (isHead) {
      await findRun(table, account, jobId, query);
      return okFile('script.py', Buffer.of());
    }
    const job = await claimRun(table, account, jobId, query, at);
    const script = await writeScript({ table, catalog }, job, addressesOf(job, at));
    return okFile('script.py', Buffer.from(script));
  }),
});
