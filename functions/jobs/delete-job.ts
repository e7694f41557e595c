import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { discardQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { ok } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { endpoints } from '../endpoints.ts';
import { jobFiles } from '../job-files.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'delete-job', table, {
  delete: answer({ query: discardQuery }, async ({ caller, path, query }) => {
    const account = { user: caller.userId, ...projectAt(path) };
    const job = await deleteJob(table, account, path.job_id, new Date(), query.only);
    await removeFiles(table, jobFiles, job);
    return ok(presentJob(job));
  }),
});
