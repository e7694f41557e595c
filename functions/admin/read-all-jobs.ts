import { catalog } from '#lib/catalog/catalog.ts';
import { PagingEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { fillJobPage } from '#lib/http/paging/fill-job-page.ts';
import { createCursors } from '#lib/http/paging/list-cursors.ts';
import { allJobsMarks } from '#lib/http/paging/list-marks.ts';
import { jobPosition } from '#lib/http/paging/positions.ts';
import { allJobsQuery } from '#lib/http/parsers/queries/job-list-query.ts';
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
const cursors = createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, jobPosition);
const { paths } = routes['read-all-jobs'];

export const handler = apiHandler(routes, routes['read-all-jobs'], {
  list: answer(
    paths.list,
    { query: ({ hpc }) => allJobsQuery(catalog, hpc) },
    async ({ path, query, linkTo }) => {
      const { hpc, project_name: project } = path;
      const list = { hpc: hpc?.name, project: project?.name, ...query.list };
      const marks = allJobsMarks(list);
      const { body, next } = await fillJobPage(
        (after, wanted) => readAllJobs(table, catalog, list, after, wanted),
        query.limit,
        cursors.verify(marks, query.cursor),
      );
      return okText(body, linkTo(cursors.sign(marks, next)));
    },
  ),
  one: answer(paths.one, {}, async ({ path }) => {
    const { hpc, project_name: project, job_id: jobId } = path;
    const place = { owner: await findOwner(table, jobId), hpc: hpc.name, project: project.name };
    return ok(presentJob(await findJob(table, place, jobId)));
  }),
  timeline: answer(paths.timeline, {}, async ({ path }) => {
    const { hpc, project_name: project, job_id: jobId } = path;
    const place = { owner: await findOwner(table, jobId), hpc: hpc.name, project: project.name };
    return ok(presentTimeline(await readTimeline(table, place, jobId)));
  }),
});
