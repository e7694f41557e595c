import { query } from '../address/address.ts';
import { addressOf } from '../address/address-of.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { FilterBar } from './filter-bar.tsx';
import { askFor, readFilters } from './job-filters.ts';
import { JobRows } from './job-rows.tsx';
import { useJobs } from './use-jobs.ts';

export function JobsPage({ session }: { readonly session: Session }) {
  const filters = readFilters(query.value);
  const { jobs, error, mayHaveMore, loadMore, refresh } = useJobs(
    session.service.listJobs,
    askFor(filters),
  );
  const narrowed = Object.values(filters).some((value) => value !== '' && value !== 'all');
  return (
    <>
      <header class="page-head">
        <h1>Jobs</h1>
        <a class="button main" href={addressOf.submit}>
          Submit a job
        </a>
      </header>
      <FilterBar filters={filters} catalog={useCatalog(session)} />
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {jobs === undefined && error === undefined && <Waiting rows={8} />}
      {jobs?.length === 0 && (narrowed ? <NoneOfThem /> : <NoneYet />)}
      {jobs !== undefined && jobs.length > 0 && (
        <>
          <p class="quiet count" role="status">
            {jobs.length.toLocaleString('en-US')}
            {mayHaveMore ? ' and more' : ''} {jobs.length === 1 ? 'job' : 'jobs'}
          </p>
          <JobRows jobs={jobs} onNearEnd={() => mayHaveMore && loadMore()} />
        </>
      )}
    </>
  );
}

function NoneYet() {
  return (
    <Empty title="No jobs yet.">
      <a href={addressOf.submit}>Drop a folder</a> with what should run: it is zipped here, and you
      see the price before anything is submitted.
    </Empty>
  );
}

function NoneOfThem() {
  return (
    <Empty title="No job is like that.">
      Take a filter away, or <a href={addressOf.jobs}>see all of your jobs</a>.
    </Empty>
  );
}
