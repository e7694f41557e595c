import { catalog } from '#lib/catalog/catalog.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { everybodysJobs, openCursors } from '#lib/http/parsers/queries/cursors.ts';
import { allJobsQuery, anyJobQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { fillJobPage, type ReadRun } from '#lib/http/presenters/fill-job-page.ts';
import {
  presentJob,
  presentJobWithRequest,
  presentTimeline,
} from '#lib/http/presenters/present-job.ts';
import { ok, okText } from '#lib/http/respond.ts';
import { projectAt } from '#lib/http/routes/resolve-path.ts';
import type { Job } from '#lib/jobs/job.ts';
import { readRequest, readResources } from '#lib/jobs/job-request.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findOwner } from '#lib/jobs/read/find-owner.ts';
import { readAllJobs } from '#lib/jobs/read/read-all-jobs.ts';
import { readTimeline } from '#lib/jobs/read/read-timeline.ts';
import { readNames } from '#lib/users/read-names.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const cursors = openCursors(everybodysJobs);

export const handler = leaderHandler(endpoints, 'read-all-jobs', table, {
  list: answer(
    { query: ({ hpc }) => allJobsQuery(catalog, hpc) },
    async ({ path, query, linkTo }) => {
      const list = { ...projectAt(path), ...query.list };
      const start = cursors.verify(list, query.cursor);
      const read: ReadRun = (after, wanted) => readAllJobs(table, catalog, list, after, wanted);
      const present = query.names ? presentWithOwners : undefined;
      const { body, next } = await fillJobPage(read, query.limit, start, present);
      return okText(body, linkTo(cursors.sign(list, next)));
    },
  ),
  one: answer({ query: anyJobQuery }, async ({ path, query }) => {
    const account = { user: await findOwner(table, path.job_id), ...projectAt(path) };
    const job = await findJob(table, account, path.job_id);
    const [shown] = query.names ? await presentWithOwners([job]) : [presentJob(job)];
    if (query.expand === undefined) return ok({ ...shown });
    const request = await readRequest(table, job);
    return ok({ ...shown, ...presentJobWithRequest(job, request, path.hpc) });
  }),
  timeline: answer({}, async ({ path }) => {
    const account = { user: await findOwner(table, path.job_id), ...projectAt(path) };
    const timeline = await readTimeline(table, account, path.job_id);
    return ok(presentTimeline(timeline, await readResources(table, path.hpc, timeline.job)));
  }),
});

async function presentWithOwners(jobs: readonly Job[]) {
  const names = await readNames(
    table,
    jobs.map(({ owner }) => owner),
  );
  return jobs.map((job) => {
    const name = names.get(job.owner);
    return { ...presentJob(job), ...(name !== undefined && { owner_name: name }) };
  });
}
