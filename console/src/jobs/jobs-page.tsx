import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { writeCsv } from '#client/src/rows/write-csv.ts';
import { addressOf, query, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { saveText } from '../browser/save.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { stageOf } from '../live/catalog.ts';
import { Button, PlainButton } from '../parts/form.tsx';
import { Empty, Loading, ProblemNote } from '../parts/loading.tsx';
import { ListChips, ListedBatch } from './batch-row.tsx';
import { askFor, FilterBar, isNarrowed, readFilters, writeFilters } from './filter-bar.tsx';
import { foldBatches, mayReadUnasked, useBatchesById } from './fold-batches.ts';
import { JobRow, JobRows } from './job-rows.tsx';
import { ListHead } from './list-head.tsx';
import { classOf, useListView, ViewMenu } from './list-view.tsx';
import { Elapsed, useTimelines } from './progress.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { Mark, markAll, markRange, nothingMarked, SelectionBar, toggleMark } from './selection.tsx';
import { isUsual, readSorting, sortJobs } from './sort-jobs.ts';
import { useJobs } from './use-jobs.ts';
import { phrase, rich } from './words.ts';

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
  const sorting = readSorting(filters.sort);
  const folded = useMemo(() => foldBatches(jobs ?? []), [jobs]);
  const { counts } = folded;
  const rows = useMemo(
    () => sortJobs(folded.rows, sorting, stageOf.value),
    [folded, filters.sort, stageOf.value],
  );
  const view = useListView();
  const [wanted, setWanted] = useState<'selected' | 'saved'>();
  // The service lists by age alone. To sort, select or save all jobs, all of them must be read.
  const readsAll = wanted !== undefined || !isUsual(sorting);
  useEffect(() => {
    if (readsAll && mayHaveMore) loadMore();
  }, [readsAll, mayHaveMore, jobs?.length]);
  useEffect(() => {
    if (wanted === undefined || mayHaveMore || jobs === undefined) return;
    setWanted(undefined);
    if (wanted === 'selected') setSelection(markAll(rows.filter(single)));
    else saveText(writeCsv(sortJobs(jobs, sorting, stageOf.value)), 'jobs.csv', 'text/csv');
  }, [wanted, mayHaveMore, jobs]);
  const batches = useBatchesById(counts.size > 0);
  const readsOn = mayReadUnasked(jobs ?? [], rows);
  const marked = jobs?.filter(({ job_id: id }) => selection.ids.has(id)) ?? [];
  const mark = ({ job_id: id }: Job, range: boolean) =>
    setSelection((before) =>
      range ? markRange(before, rows.filter(single), id) : toggleMark(before, id),
    );
  const addressWith = (sort: string) =>
    withQuery(addressOf.jobs, { ...writeFilters(filters), sort });
  return (
    <>
      <header class="page-head">
        <div class="line">
          <h1>{pageNames.jobs()}</h1>
          <ListChips current="jobs" />
        </div>
        <a class="button main" href={addressOf.submit}>
          {pageNames.submit()}
        </a>
      </header>
      <FilterBar filters={filters} />
      <SavedFilters address={addressWith(filters.sort)} list={addressOf.jobs} />
      <Loading value={jobs} error={error} refresh={refresh} rows={8} />
      {refused !== undefined && <ProblemNote error={refused} />}
      {jobs?.length === 0 && (isNarrowed(filters) ? <NoMatches /> : <NoneYet />)}
      {jobs !== undefined && jobs.length > 0 && (
        <div class={classOf(view)}>
          {marked.length === 0 ? (
            <div class="list-tools">
              <p class="quiet count" role="status">
                {describeList(countJobs(jobs.length, mayHaveMore), {
                  readsOn: readsAll && mayHaveMore,
                  folded: counts.size > 0,
                })}
              </p>
              <div class="line">
                <Button disabled={wanted !== undefined} onClick={() => setWanted('saved')}>
                  {phrase('downloadCsv')}
                </Button>
                <ViewMenu />
              </div>
            </div>
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
          <ListHead
            sorting={sorting}
            addressWith={addressWith}
            all={{
              marked: marked.length > 0 && marked.length === rows.filter(single).length,
              onMark: (all) => (all ? setWanted('selected') : setSelection(nothingMarked)),
            }}
          />
          <JobRows
            jobs={rows}
            read={jobs.length}
            compact={view.compact}
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
              <PlainButton onClick={loadMore}>{phrase('showOlder')}</PlainButton>
            </p>
          )}
        </div>
      )}
    </>
  );
}

function single({ batch }: Job): boolean {
  return batch === undefined;
}

function describeList(
  jobs: string,
  { readsOn, folded }: { readonly readsOn: boolean; readonly folded: boolean },
): string {
  if (readsOn) return phrase('readSoFar', { jobs });
  return folded ? phrase('inOneRow', { jobs }) : jobs;
}

function NoneYet() {
  return (
    <Empty title={phrase('noneYet')}>
      {rich('dropWithProgram', {
        drop: <a href={addressOf.submit}>{phrase('dropFolder')}</a>,
      })}
    </Empty>
  );
}

function NoMatches() {
  return (
    <Empty title={phrase('noMatches')}>
      {rich('removeFilter', { all: <a href={addressOf.jobs}>{phrase('seeAll')}</a> })}
    </Empty>
  );
}
