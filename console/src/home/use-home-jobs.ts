import { useEffect, useMemo } from 'preact/hooks';
import type { Job, Slipway } from '#client/src/index.ts';
import { isRecord, readStored, store } from '../browser/stored.ts';
import { useLive } from '../live/use-live.ts';

/** Short, because it is read often. Most people have fewer jobs than this. */
const newestSize = 100;
/** Read rarely, and only for users who have more jobs. */
const otherSize = 1000;

/** Loads the jobs for Home. `last` is the visit before this one, which began at `now`. */
export function useHomeJobs(last: Visit | undefined, now: string) {
  const newest = useLive(
    'home jobs',
    (service, signal) => service.listJobs({ order: 'desc', limit: newestSize }, { signal }),
    { active: (all) => all.some(({ terminal_stage: ended }) => !ended) },
  );
  const isCut = newest.value !== undefined && newest.value.length >= newestSize;
  const others = useLive(`home jobs beyond the newest ${isCut}`, (service, signal) =>
    isCut ? readOthers(service, last, signal) : Promise.resolve(none),
  );
  const known = newest.value && (isCut ? others.value : none);
  const jobs = useMemo(
    () => known && gatherJobs(newest.value ?? [], [...known.active, ...known.ended]),
    [newest.value, known],
  );
  useEffect(() => {
    if (jobs) noteOldestActive(findOldestActive(jobs, now));
  }, [jobs === undefined]);
  return {
    /** The newest jobs, and all others that are active or ended since the last visit. */
    jobs,
    /** Whether a list was cut off, so that some jobs may be missing. */
    mayHaveMore: {
      active: (known?.active.length ?? 0) >= otherSize,
      ended: (known?.ended.length ?? 0) >= otherSize,
    },
    error: newest.error ?? others.error,
    refresh: () => {
      newest.refresh();
      others.refresh();
    },
  };
}

interface Others {
  readonly active: readonly Job[];
  readonly ended: readonly Job[];
}

const none: Others = { active: [], ended: [] };

async function readOthers(
  service: Pick<Slipway, 'listJobs'>,
  last: Visit | undefined,
  signal: AbortSignal,
): Promise<Others> {
  const asked = { order: 'desc', limit: otherSize } as const;
  const [active, ended] = await Promise.all([
    service.listJobs({ ...asked, terminal: false }, { signal }),
    last === undefined
      ? []
      : service.listJobs({ ...asked, terminal: true, since: last.oldestLiving }, { signal }),
  ]);
  return { active, ended };
}

/** Joins both lists, without deleted jobs, the newest first. */
export function gatherJobs(newest: readonly Job[], others: readonly Job[]): readonly Job[] {
  const seen = new Map([...others, ...newest].map((job) => [job.job_id, job]));
  return [...seen.values()]
    .filter(({ stage }) => stage !== 'DELETED')
    .toSorted((one, other) => other.id - one.id);
}

/** Returns when the oldest job that was active at `now` was submitted, or `now` if none was. */
export function findOldestActive(jobs: readonly Job[], now: string): string {
  return jobs
    .filter(({ end_date: end }) => end === null || end >= now)
    .reduce((oldest, { init_date: begun }) => (begun < oldest ? begun : oldest), now);
}

/** Lists the jobs that ended since then, the last to end first. */
export function endedSince(jobs: readonly Job[], since: string): readonly Job[] {
  return jobs
    .flatMap((job) => (job.end_date !== null && job.end_date >= since ? [job] : []))
    .toSorted((one, other) => (other.end_date ?? '').localeCompare(one.end_date ?? ''));
}

/** A visit to Home. */
interface Visit {
  readonly at: string;
  /** When the oldest job that was active then was submitted. No older job can end after this visit. */
  readonly oldestLiving?: string | undefined;
}

const key = 'slipway-visits';
/** A reload within this time belongs to the same visit. */
const sameVisitMs = 30 * 60 * 1000;

/** Notes this visit and returns the one before it, or undefined on a first visit. */
export function noteVisit(now: Date): Visit | undefined {
  const { here, before } = readVisits();
  const isSame = here && now.getTime() - Date.parse(here.at) <= sameVisitMs;
  const last = isSame ? before : here;
  store('browser', key, { here: { at: now.toISOString() }, before: last });
  return last;
}

/** Completes the note of this visit as soon as its jobs are known. */
export function noteOldestActive(oldestLiving: string): void {
  const { here, before } = readVisits();
  if (here) store('browser', key, { here: { ...here, oldestLiving }, before });
}

function readVisits(): { readonly here: Visit | undefined; readonly before: Visit | undefined } {
  const stored = readStored('browser', key);
  if (!isRecord(stored)) return { here: undefined, before: undefined };
  return { here: toVisit(stored.here), before: toVisit(stored.before) };
}

function toVisit(value: unknown): Visit | undefined {
  if (!isRecord(value) || !isMoment(value.at)) return undefined;
  return {
    at: value.at,
    ...(isMoment(value.oldestLiving) && { oldestLiving: value.oldestLiving }),
  };
}

function isMoment(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}
