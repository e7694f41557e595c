import { rangeOf } from '#lib/batches/batch.ts';
import { findBatch } from '#lib/batches/batch-store.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { openCursors, ownJobs } from '#lib/http/parsers/queries/cursors.ts';
import { jobListQuery, jobQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { fillJobPage, type ReadRun } from '#lib/http/presenters/fill-job-page.ts';
import {
  presentJob,
  presentJobWithRequest,
  presentTimeline,
} from '#lib/http/presenters/present-job.ts';
import { ok, okText } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import { readRequest, readResources } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { readOwnJobs } from '#lib/jobs/read/read-named-job.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(ownJobs);

export const handler = projectHandler(endpoints, 'read-jobs', table, {
  list: answer(
    { query: ({ hpc }) => jobListQuery(catalog, hpc) },
    async ({ caller, path, query, linkTo }) => {
      const owner = caller.userId;
      const ids = query.batch && rangeOf(await findBatch(table, owner, query.batch));
      const list = { owner, ...projectAt(path), ...query.list, ids };
      const start = cursors.verify(list, query.cursor);
      const read: ReadRun = (after, wanted) => readOwnJobs(table, catalog, list, after, wanted);
      const { body, next } = await fillJobPage(read, query.limit, start);
      return okText(body, linkTo(cursors.sign(list, next)));
    },
  ),
  one: answer({ query: jobQuery }, async ({ caller, path, query }) => {
    const account = { user: caller.userId, ...projectAt(path) };
    const job = await findJob(table, account, path.job_id);
    if (query.expand === undefined) return ok(presentJob(job));
    return ok(presentJobWithRequest(job, await readRequest(table, job), path.hpc));
  }),
  timeline: answer({}, async ({ caller, path }) => {
    const account = { user: caller.userId, ...projectAt(path) };
    const timeline = await readTimeline(table, account, path.job_id);
    return ok(presentTimeline(timeline, await readResources(table, path.hpc, timeline.job)));
  }),
});
