import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { PathNotFoundError } from '#lib/http/errors.ts';
import { createCursorSigner } from '#lib/http/paging/cursor.ts';
import { linkToNext, readJobPage } from '#lib/http/paging/job-page.ts';
import { parseJobList } from '#lib/http/parsers/parse-job-list.ts';
import { refuseQuery } from '#lib/http/parsers/read-query.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { presentTimeline } from '#lib/http/presenters/present-timeline.ts';
import { ok, okText } from '#lib/http/respond.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const signer = createCursorSigner(readEnvironment(PagingEnvironment).CURSOR_SECRET);

export const handler = apiHandler(routes, routes['read-jobs'], async ({ caller, path, event }) => {
  const { hpc, project_name: project, job_id: jobId, view } = path;
  if (hpc && project && jobId !== undefined) {
    refuseQuery(event);
    const account = { user: caller.userId, hpc: hpc.name, project: project.name };
    if (view === undefined) return ok(presentJob(await findJob(table, account, jobId)));
    if (view !== 'timeline') throw new PathNotFoundError();
    return ok(presentTimeline(await readTimeline(table, account, jobId)));
  }
  const request = parseJobList(catalog, caller, path, event);
  const { list, cursor } = request;
  const after = cursor === undefined ? undefined : signer.verify(list, cursor);
  const page = await readJobPage(table, request, after);
  return okText(page.body, linkToNext(event, signer, request, page));
});
