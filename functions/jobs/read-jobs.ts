import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { fillJobPage } from '#lib/http/paging/fill-job-page.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { jobMarks } from '#lib/http/paging/list-marks.ts';
import { jobPosition } from '#lib/http/paging/positions.ts';
import { jobListQuery } from '#lib/http/parsers/queries/job-list-query.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { presentTimeline } from '#lib/http/presenters/present-timeline.ts';
import { ok, okText } from '#lib/http/respond.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readJobs } from '#lib/jobs/read/read-jobs.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { openTable } from '#lib/table/table.ts';
import { routes } from '../routes.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, jobPosition);
const route = routes['read-jobs'];

export const handler = apiHandler(routes, route, {
  list: answer(route.paths.list,
    { query: ({ hpc }) => jobListQuery(catalog, hpc) },
    async ({ caller, path, query, linkTo }) => {
      const { hpc, project_name: project } = path;
      const place = { owner: caller.userId, hpc: hpc?.name, project: project?.name };
      const list = { ...place, ...query.list };
      const marks = jobMarks(list);
      const { body, next } = await fillJobPage(
        (after, wanted) => readJobs(table, list, after, wanted),
        query.limit,
        cursors.verify(marks, query.cursor),
      );
      return okText(body, linkTo(cursors.sign(marks, next)));
    },
  ),
  one: answer(route.paths.one, {}, async ({ caller, path }) => {
    const { hpc, project_name: project, job_id: jobId } = path;
    const place = { owner: caller.userId, hpc: hpc.name, project: project.name };
    return ok(presentJob(await findJob(table, place, jobId)));
  }),
  timeline: answer(route.paths.timeline, {}, async ({ caller, path }) => {
    const { hpc, project_name: project, job_id: jobId } = path;
    const place = { owner: caller.userId, hpc: hpc.name, project: project.name };
    return ok(presentTimeline(await readTimeline(table, place, jobId)));
  }),
});
