import { useEffect, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { addressOf, query } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { Empty, Loading, ProblemNote } from '../parts/loading.tsx';
import { askFor, FilterBar, readFilters } from './filter-bar.tsx';
import { JobRow, JobRows } from './job-rows.tsx';
import { Elapsed, useTimelines } from './progress.tsx';
import { Mark, markRange, nothingMarked, SelectionBar, toggleMark } from './selection.tsx';
import { useJobs } from './use-jobs.ts';

export function JobsPage() {
  const filters = readFilters(query.value);
  const asked = askFor(filters);
  const { jobs, error, mayHaveMore, loadMore, take, refresh } = useJobs(
    useService().listJobs,
    asked,
  );
  const { timelines, follow } = useTimelines();
  const [selection, setSelection] = useState(nothingMarked);
  const [refused, setRefused] = useState<unknown>();
  // Nobody should act on jobs that they no longer see.
  useEffect(() => setSelection(nothingMarked), [JSON.stringify(asked)]);
  const marked = jobs?.filter(({ job_id: id }) => selection.ids.has(id)) ?? [];
  const mark = ({ job_id: id }: Job, range: boolean) =>
    setSelection((before) => (range ? markRange(before, jobs ?? [], id) : toggleMark(before, id)));
  const narrowed = Object.values(filters).some((value) => value !== '' && value !== 'all');
  return (
    <>
      <header class="page-head">
        <h1>Jobs</h1>
        <a class="button main" href={addressOf.submit}>
          Submit a job
        </a>
      </header>
      <FilterBar filters={filters} />
      <Loading value={jobs} error={error} refresh={refresh} rows={8} />
      {refused !== undefined && <ProblemNote error={refused} />}
      {jobs?.length === 0 && (narrowed ? <NoMatches /> : <NoneYet />)}
      {jobs !== undefined && jobs.length > 0 && (
        <>
          {marked.length === 0 ? (
            <p class="quiet count" role="status">
              {countJobs(jobs.length, mayHaveMore)}
            </p>
          ) : (
            <SelectionBar
              marked={marked}
              onDiscarded={(changed, [first]) => {
                take(changed);
                setRefused(first);
              }}
              onClear={() => setSelection(nothingMarked)}
            />
          )}
          <JobRows jobs={jobs} onNearEnd={() => mayHaveMore && loadMore()} onSeen={follow}>
            {(job) => (
              <>
                <Mark
                  job={job}
                  marked={selection.ids.has(job.job_id)}
                  onMark={({ range }) => mark(job, range)}
                />
                <JobRow job={job} time={<Elapsed job={job} timelines={timelines} />} />
              </>
            )}
          </JobRows>
        </>
      )}
    </>
  );
}

function NoneYet() {
  return (
    <Empty title="No jobs yet.">
      <a href={addressOf.submit}>Drop a folder</a> with your program and data. It is zipped in your
      browser, and you see the price before you submit.
    </Empty>
  );
}

function NoMatches() {
  return (
    <Empty title="No jobs match these filters.">
      Remove a filter, or <a href={addressOf.jobs}>see all your jobs</a>.
    </Empty>
  );
}
