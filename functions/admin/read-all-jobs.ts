import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { createCursorSigner } from '#lib/http/paging/cursor.ts';
import { fillJobPage, linkToNext } from '#lib/http/paging/job-page.ts';
import { parseAllJobsList } from '#lib/http/parsers/parse-job-list.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { presentTimeline } from '#lib/http/presenters/present-timeline.ts';
import { ok, okText } from '#lib/http/respond.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const secret = readEnvironment(PagingEnvironment).CURSOR_SECRET;
const signer = createCursorSigner(secret, 'administrators');

export const handler = apiHandler(routes, routes['read-all-jobs'], async ({ path, event }) => {
  const { hpc, project_name: project, job_id: jobId, view } = path;
  if (hpc && project && jobId !== undefined) {
    refuseQuery(event);
    if (view !== undefined && view !== 'timeline') throw new PathNotFoundError();
    const account = { user: await findOwner(table, jobId), hpc: hpc.name, project: project.name };
    if (view === undefined) return ok(presentJob(await findJob(table, account, jobId)));
    return ok(presentTimeline(await readTimeline(table, account, jobId)));
  }
  const request = parseAllJobsList(catalog, path, event);
  const { list, limit, cursor } = request;
  const start = cursor === undefined ? undefined : signer.verify(list, cursor);
  const page = await fillJobPage(
    (after, wanted) => readAllJobs(table, catalog, list, after, wanted),
    limit,
    start,
  );
  return okText(page.body, linkToNext(event, signer, request, page));
});
