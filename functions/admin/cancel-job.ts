import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/reason-body.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { ok } from '#lib/http/respond.ts';
import { cancelAnyJob } from '#lib/jobs/cancel/cancel-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const files = openJobFiles(readEnvironment(FilesEnvironment));
const route = routes['cancel-job'];

export const handler = apiHandler(routes, route, {
  cancel: answer(route.paths.cancel, reasonAnywhere, async ({ caller, path, body }) => {
    const { hpc, project_name: project, job_id: jobId } = path;
    const place = { owner: await findOwner(table, jobId), hpc: hpc.name, project: project.name };
    const { reason } = body;
    const job = await cancelAnyJob(table, { place, jobId, reason, by: caller.userId });
    await removeFiles(table, files, job);
    return ok(presentJob(job));
  }),
});
