import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/reason-body.ts';
import { presentJob } from '#lib/http/presenters/jobs/present-job.ts';
import { projectHandler } from '#lib/http/projects/project-handler.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/project-at.ts';
import { cancelAnyJob } from '#lib/jobs/cancel/cancel-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { endpoints } from '../endpoints.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const files = openJobFiles(readEnvironment(FilesEnvironment));
const endpoint = endpoints['cancel-job'];

export const handler = projectHandler(endpoints, endpoint, table, {
  cancel: answer(endpoint.paths.cancel, reasonAnywhere, async ({ caller, path, body }) => {
    const account = { user: await findOwner(table, path.job_id), ...projectAt(path) };
    const { reason } = body;
    const job = await cancelAnyJob(table, {
      account,
      jobId: path.job_id,
      reason,
      by: caller.userId,
    });
    await removeFiles(table, files, job);
    return ok(presentJob(job));
  }),
});
