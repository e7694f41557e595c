import { adminAddress, query, withQuery } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { askFor, FilterBar, readFilters, writeFilters } from '../jobs/filter-bar.tsx';
import { JobRow, JobRows } from '../jobs/job-rows.tsx';
import { useJobs } from '../jobs/use-jobs.ts';
import { Empty, Loading } from '../parts/loading.tsx';

/** Lists everybody's jobs or one user's, with the filters of a researcher's own list. */
export function AllJobsPage() {
  const filters = readFilters(query.value);
  const user = query.value.get('user') ?? '';
  const { jobs, error, mayHaveMore, loadMore, refresh } = useJobs(useService().listAllJobs, {
    ...askFor(filters),
    ...(/^\d+$/.test(user) && { user }),
  });
  return (
    <>
      <h1>{user === '' ? 'All jobs' : `Jobs by ${user}`}</h1>
      <FilterBar filters={filters} list={adminAddress.jobs} also={{ user }} />
      {user !== '' && (
        <p class="line">
          <a href={adminAddress.person(user)}>About {user}</a>
          <a href={withQuery(adminAddress.jobs, writeFilters(filters))}>All users' jobs</a>
        </p>
      )}
      <Loading value={jobs} error={error} refresh={refresh} rows={8} />
      {jobs?.length === 0 && (
        <Empty title="No jobs match these filters.">
          Remove a filter, or <a href={adminAddress.jobs}>see all jobs</a>. New jobs can take a
          moment to appear.
        </Empty>
      )}
      {jobs !== undefined && jobs.length > 0 && (
        <>
          <p class="quiet count" role="status">
            {countJobs(jobs.length, mayHaveMore)}
          </p>
          <JobRows jobs={jobs} onNearEnd={mayHaveMore ? loadMore : undefined}>
            {(job) => <JobRow job={job} address={adminAddress.job(job)} owner={job.owner} />}
          </JobRows>
        </>
      )}
    </>
  );
}
