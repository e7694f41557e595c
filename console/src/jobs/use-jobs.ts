import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CallOptions, Job, Paged } from '#client/src/index.ts';
import { useLive } from '../live/use-live.ts';

/** The newest page is short, because it is read often. Older pages are read once. */
const newestSize = 200;
const olderSize = 1000;

type ListJobs<Asked> = (
  asked: Asked & { readonly limit: number },
  options?: CallOptions,
) => Paged<Job>;

interface Older {
  readonly key: string;
  readonly jobs: readonly Job[];
  readonly done: boolean;
}

/** Keeps the newest jobs up to date, and loads older ones as far as somebody scrolls. */
export function useJobs<Asked extends object>(listJobs: ListJobs<Asked>, wanted: Asked) {
  const key = `jobs:${JSON.stringify(wanted)}`;
  const [older, setOlder] = useState<Older>({ key, jobs: [], done: false });
  const [failed, setFailed] = useState<unknown>();
  const pages = useRef<AsyncIterator<Job[]> | undefined>(undefined);
  const loading = useRef(false);
  useEffect(() => {
    pages.current = undefined;
    loading.current = false;
    setFailed(undefined);
    setOlder({ key, jobs: [], done: false });
  }, [key]);
  const { value, error, refresh } = useLive(
    key,
    // Asks for one more than is shown, to know whether there are more.
    (_, signal) => listJobs({ ...wanted, limit: newestSize + 1 }, { signal }),
    { active: (jobs) => jobs.some(({ terminal_stage: ended }) => !ended) },
  );
  const current = older.key === key ? older : { key, jobs: [], done: false };
  const loadMore = async () => {
    if (loading.current || current.done) return;
    loading.current = true;
    const all = listJobs({ ...wanted, limit: olderSize }).pages();
    const reading = pages.current ?? all[Symbol.asyncIterator]();
    pages.current = reading;
    try {
      const { jobs, done } = await readMore(reading);
      if (pages.current !== reading) return;
      setOlder((before) => ({ key, jobs: [...before.jobs, ...jobs], done }));
      setFailed(undefined);
    } catch (reason) {
      // A reader that failed cannot go on. The next try starts a new one.
      if (pages.current !== reading) return;
      pages.current = undefined;
      setFailed(reason);
    }
    loading.current = false;
  };
  return {
    jobs: useMemo(
      () => value && mergeJobs(value.slice(0, newestSize), current.jobs, newestSize),
      [value, current.jobs],
    ),
    error: error ?? failed,
    mayHaveMore: value !== undefined && value.length > newestSize && !current.done,
    loadMore: () => void loadMore(),
    /** Replaces jobs that were read before. */
    take: (changed: readonly Job[]) => {
      const now = new Map(changed.map((job) => [job.job_id, job]));
      setOlder((before) => ({
        ...before,
        jobs: before.jobs.map((job) => now.get(job.job_id) ?? job),
      }));
      refresh();
    },
    refresh: () => {
      setFailed(undefined);
      refresh();
    },
  };
}

/** Reads on after a short page, because only the end of the list shows that it was the last one. */
export async function readMore(
  reading: AsyncIterator<Job[]>,
): Promise<{ readonly jobs: readonly Job[]; readonly done: boolean }> {
  const jobs: Job[] = [];
  while (jobs.length < olderSize) {
    const { value: page, done = false } = await reading.next();
    if (done) return { jobs, done };
    jobs.push(...page);
  }
  return { jobs, done: false };
}

/**
 * Joins the newest page, which is read often, with older pages, which are read once. As far as the
 * newest page reaches, only its jobs count, because a job may no longer match the filter.
 */
export function mergeJobs(
  newest: readonly Job[],
  older: readonly Job[],
  pageSize: number,
): readonly Job[] {
  const last = newest.at(-1);
  if (newest.length < pageSize || !last) return newest;
  const seen = new Set<number>();
  return [...newest, ...older.filter(({ id }) => id < last.id)].filter(({ id }) => {
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}
