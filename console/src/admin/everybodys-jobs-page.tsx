import type { Job } from '#client/src/index.ts';
import { query } from '../browser/address.ts';
import { adminAddress, withQuery } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { askFor, FilterBar, readFilters, writeFilters } from '../jobs/filter-bar.tsx';
import { JobRow, JobRows } from '../jobs/job-rows.tsx';
import { useJobs } from '../jobs/use-jobs.ts';
import { Empty, Waiting } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

/** Everybody's jobs, or those of one person, with the filters of a researcher's own list. */
export function EverybodysJobsPage({ session }: { readonly session: Session }) {
  const filters = readFilters(query.value);
  const user = query.value.get('user') ?? '';
  const { jobs, error, mayHaveMore, loadMore, refresh } = useJobs(session.service.listAllJobs, {
    ...askFor(filters),
    ...(/^\d+$/.test(user) && { user }),
  });
  return (
    <>
      <h1>{user === '' ? "Everybody's jobs" : `Jobs of ${user}`}</h1>
      <FilterBar
        filters={filters}
        catalog={useCatalog(session)}
        list={adminAddress.jobs}
        also={{ user }}
      />
      {user !== '' && (
        <p class="line">
          <a href={adminAddress.person(user)}>The page of {user}</a>
          <a href={withQuery(adminAddress.jobs, writeFilters(filters))}>Everybody's</a>
        </p>
      )}
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {jobs === undefined && error === undefined && <Waiting rows={8} />}
      {jobs?.length === 0 && (
        <Empty title="No job is like that.">
          Take a filter away, or <a href={adminAddress.jobs}>see all jobs</a>. What was submitted
          just now may come a moment later.
        </Empty>
      )}
      {jobs !== undefined && jobs.length > 0 && (
        <>
          <p class="quiet count" role="status">
            {jobs.length.toLocaleString('en-US')}
            {mayHaveMore ? ' and more' : ''} {jobs.length === 1 ? 'job' : 'jobs'}
          </p>
          <JobRows jobs={jobs} onNearEnd={() => mayHaveMore && loadMore()}>
            {(job) => <RowOfAnybody job={job} />}
          </JobRows>
        </>
      )}
    </>
  );
}

function RowOfAnybody({ job }: { readonly job: Job }) {
  return <JobRow job={job} address={adminAddress.job(job)} owner={job.owner} />;
}
