import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/json-body.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { deleteAnyJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

export const handler = leaderHandler(endpoints, 'delete-any-job', table, {
  delete: answer(reasonAnywhere, async ({ caller, path, body }) => {
    const account = { user: await findOwner(table, path.job_id), ...projectAt(path) };
    const order = { reason: body.reason, by: caller.userId };
    const job = await deleteAnyJob(table, account, path.job_id, order);
    await removeFiles(table, jobFiles, job);
    return ok(presentJob(job));
  }),
});
