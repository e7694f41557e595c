import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { ok } from '#lib/http/respond.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const files = openJobFiles(readEnvironment(FilesEnvironment));

export const handler = apiHandler(routes, routes['delete-job'], async ({ caller, path, event }) => {
  refuseQuery(event);
  const { hpc, project_name: project, job_id: jobId } = path;
  const account = { user: caller.userId, hpc: hpc.name, project: project.name };
  const job = await deleteJob(table, account, jobId);
  await removeFiles(table, files, job);
  return ok(presentJob(job));
});
