import { useEffect, useRef, useState } from 'preact/hooks';
import type { CallOptions, Job, Paged } from '#client/src/index.ts';
import { useLive } from '../live/use-live.ts';
import { mergeJobs } from './merge-jobs.ts';

const pageSize = 200;

export interface Jobs {
  readonly jobs: readonly Job[] | undefined;
  readonly error: unknown;
  readonly mayHaveMore: boolean;
  loadMore(): void;
  refresh(): void;
}

type ListJobs<Asked> = (
  asked: Asked & { readonly limit: number },
  options?: CallOptions,
) => Paged<Job>;

/** The newest jobs as they are now, and older ones as far as somebody has scrolled. */
export function useJobs<Asked extends object>(listJobs: ListJobs<Asked>, wanted: Asked): Jobs {
  const asked = { ...wanted, limit: pageSize };
  const key = `jobs ${JSON.stringify(asked)}`;
  const [older, setOlder] = useState<{ key: string; jobs: readonly Job[]; done: boolean }>({
    key,
    jobs: [],
    done: false,
  });
  const pages = useRef<AsyncIterator<Job[]> | undefined>(undefined);
  const loading = useRef(false);
  useEffect(() => {
    pages.current = undefined;
    loading.current = false;
    setOlder({ key, jobs: [], done: false });
  }, [key]);
  const { value, error, refresh } = useLive(key, (signal) => listJobs(asked, { signal }), {
    living: (jobs) => jobs.some(({ terminal_stage: ended }) => !ended),
  });
  const current = older.key === key ? older : { key, jobs: [], done: false };
  const loadMore = async () => {
    if (loading.current || current.done) return;
    loading.current = true;
    const reading = pages.current ?? (await skipFirst(listJobs(asked).pages()));
    pages.current = reading;
    const { value: page, done = false } = await reading.next();
    setOlder((before) =>
      before.key === key ? { key, jobs: [...before.jobs, ...(page ?? [])], done } : before,
    );
    loading.current = false;
  };
  return {
    jobs: value && mergeJobs(value, current.jobs, pageSize),
    error,
    mayHaveMore: value !== undefined && value.length >= pageSize && !current.done,
    loadMore: () => void loadMore(),
    refresh,
  };
}

/** The newest page is there already. */
async function skipFirst(pages: AsyncIterable<Job[]>): Promise<AsyncIterator<Job[]>> {
  const reading = pages[Symbol.asyncIterator]();
  await reading.next();
  return reading;
}
