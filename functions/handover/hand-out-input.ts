import { PassEnvironment, readEnvironment } from '#lib/config.ts';
import { publicHandler } from '#lib/http/chain/api-handler.ts';
import { answerAnybody } from '#lib/http/chain/operation.ts';
import { passQuery } from '#lib/http/parsers/handover.ts';
import { temporaryRedirect } from '#lib/http/respond.ts';
import { handOutInput } from '#lib/jobs/passes/find-active-job.ts';
import { createPasses } from '#lib/jobs/passes/passes.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

const passes = createPasses(readEnvironment(PassEnvironment).PASS_SECRET);

export const handler = publicHandler(endpoints, 'hand-out-input', {
  handOut: answerAnybody({ query: passQuery }, async ({ path, query }) => {
    const { job_id: jobId } = path;
    const account = passes.read(query.pass, { purpose: 'input', jobId, at: new Date() });
    return temporaryRedirect(await handOutInput(table, jobFiles.inputs, account, jobId));
  }),
});
