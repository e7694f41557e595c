import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { addressOf, query } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { PlainButton } from '../parts/form.tsx';
import { Empty, Loading, ProblemNote } from '../parts/loading.tsx';
import { ListChips, ListedBatch } from './batch-row.tsx';
import { askFor, FilterBar, readFilters } from './filter-bar.tsx';
import { foldBatches, mayReadUnasked, useBatchesById } from './fold-batches.ts';
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
  const { rows, counts } = useMemo(() => foldBatches(jobs ?? []), [jobs]);
  const batches = useBatchesById(counts.size > 0);
  const single = (job: Job) => job.batch === undefined;
  const readsOn = mayReadUnasked(jobs ?? [], rows);
  const marked = jobs?.filter(({ job_id: id }) => selection.ids.has(id)) ?? [];
  const mark = ({ job_id: id }: Job, range: boolean) =>
    setSelection((before) =>
      range ? markRange(before, rows.filter(single), id) : toggleMark(before, id),
    );
  const narrowed = Object.values(filters).some((value) => value !== '' && value !== 'all');
  return (
    <>
      <header class="page-head">
        <div class="line">
          <h1>Jobs</h1>
          <ListChips current="jobs" />
        </div>
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
              {counts.size > 0 && '. Those of a batch are in one row.'}
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
          <JobRows
            jobs={rows}
            read={jobs.length}
            onNearEnd={mayHaveMore && readsOn ? loadMore : undefined}
            onSeen={(seen) => follow(seen.filter(single))}
          >
            {(job) =>
              job.batch !== undefined ? (
                <>
                  <span class="mark" />
                  <ListedBatch job={job} batches={batches} counts={counts} />
                </>
              ) : (
                <>
                  <Mark
                    job={job}
                    marked={selection.ids.has(job.job_id)}
                    onMark={({ range }) => mark(job, range)}
                  />
                  <JobRow job={job} time={<Elapsed job={job} timelines={timelines} />} />
                </>
              )
            }
          </JobRows>
          {mayHaveMore && !readsOn && (
            <p>
              <PlainButton onClick={loadMore}>Show older jobs</PlainButton>
            </p>
          )}
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
