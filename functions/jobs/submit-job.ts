import { catalog } from '#lib/catalog/catalog.ts';
import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { parseSubmission } from '#lib/http/parsers/parse-submission.ts';
import { blameUploadId } from '#lib/http/parsers/parse-upload-id.ts';
import { presentEstimate } from '#lib/http/presenters/present-estimate.ts';
import { jobLocation, presentJob } from '#lib/http/presenters/present-job.ts';
import { created, ok } from '#lib/http/respond.ts';
import { estimateJob } from '#lib/jobs/submit/estimate-job.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { openTable } from '#lib/table/table.ts';
import { countSubmission } from '#lib/telemetry/metrics.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { inputs } = openJobFiles(readEnvironment(FilesEnvironment));

export const handler = apiHandler(routes, routes['submit-job'], async ({ caller, path, event }) => {
  const { submission, idempotencyKey, dryRun } = await parseSubmission(caller, path, event);
  const context = { table, catalog, inputs };
  if (dryRun)
    return ok(presentEstimate(await estimateJob(context, submission).catch(blameUploadId)));
  const { job, repeated } = await submitJob(context, submission, idempotencyKey).catch(
    blameUploadId,
  );
  if (!repeated) countSubmission(job.project.hpc, job.stage);
  return created(presentJob(job), jobLocation(job));
});
