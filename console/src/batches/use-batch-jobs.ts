import { useEffect, useRef, useState } from 'preact/hooks';
import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import type { Batch, Job } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import type { BatchState } from '../parts/share-bar.tsx';

const pageSize = 1000;
/** For each page that must be read again. */
const pauseMs = 2000;

interface BatchJobs {
  /** The jobs read so far, in the order of the batch. Undefined before the first answer. */
  readonly jobs: readonly Job[] | undefined;
  readonly error: unknown;
}

/**
 * Loads all jobs of a batch. They are read again only after the batch's counts have changed, and the
 * more there are, the more rarely: the counts are kept up to date by one request, the cells by ten.
 */
export function useBatchJobs({ batch_id: batch, count, counts }: Batch): BatchJobs {
  const service = useService();
  const [read, setRead] = useState<BatchJobs>({ jobs: undefined, error: undefined });
  const wanted = useRef('');
  wanted.current = JSON.stringify(counts);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const show = (change: Partial<BatchJobs>) => {
      if (!signal.aborted) setRead((before) => ({ ...before, ...change }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: string | undefined;
    const read = async (counts: string) => {
      const jobs: Job[] = [];
      const pages = service.listJobs({ batch, limit: pageSize }, { signal }).pages();
      for await (const page of pages) {
        jobs.push(...page);
        // The first time, whatever is there is better than nothing.
        if (seen === undefined) show({ jobs: [...jobs], error: undefined });
      }
      show({ jobs, error: undefined });
      seen = counts;
    };
    const look = async () => {
      const { current: counts } = wanted;
      if (counts !== seen && !document.hidden) {
        await read(counts).catch((error: unknown) => show({ error }));
      }
      if (!signal.aborted) timer = setTimeout(look, pauseMs * Math.ceil(count / pageSize));
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [batch]);
  return read;
}

/** Returns the state that a job counts as in its batch. */
export function stateOf(job: Job, stageOf: StageOf): BatchState {
  const { meaning } = stageOf(job);
  switch (meaning) {
    case 'failed':
    case 'done':
    case 'cancelled':
    case 'waiting':
      return meaning;
    case 'deleted':
      return 'cancelled';
    case 'starting':
      return 'waiting';
    default:
      return 'running';
  }
}

/**
 * Returns the state of every place of a batch. Places without a job wait to be created. If the batch
 * has ended, they were cancelled before that.
 */
export function layOutCells(
  { count, end_date: end }: Pick<Batch, 'count' | 'end_date'>,
  jobs: readonly Job[],
  stageOf: StageOf,
): readonly BatchState[] {
  const cells = new Array<BatchState>(count).fill(end === null ? 'waiting' : 'cancelled');
  for (const job of jobs) cells[placeIn(jobs, job)] = stateOf(job, stageOf);
  return cells;
}

/** The numbers of a batch's jobs follow each other, and the first one is created first. */
function placeIn([first]: readonly Job[], { id }: Job): number {
  return id - (first?.id ?? id);
}

/** Finds the job at a place of the batch. */
export function jobAt(jobs: readonly Job[], place: number): Job | undefined {
  const guess = jobs[place];
  if (guess && placeIn(jobs, guess) === place) return guess;
  return jobs.find((job) => placeIn(jobs, job) === place);
}
