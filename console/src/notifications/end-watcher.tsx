import { useEffect } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { notify } from './browser-notifications.ts';
import { phrase } from './words.ts';

/** Rare, because it goes on in a hidden tab. */
const pauseMs = 20_000;
const newestSize = 100;

/** Notifies when jobs end, also while another tab is in front. Shows nothing itself. */
export function EndWatcher() {
  const service = useService();
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let seen: Look | undefined;
    const look = async () => {
      try {
        const asked = { order: 'desc', limit: newestSize } as const;
        const jobs = await service.listJobs(asked, { signal: leaving.signal });
        if (seen) tell(findEnded(seen, jobs));
        seen = remember(jobs);
      } catch {
        // The page itself shows what is wrong. The next look may succeed.
      }
      if (!leaving.signal.aborted) timer = setTimeout(look, pauseMs);
    };
    void look();
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [service]);
  return null;
}

/** What one look at the jobs found. */
interface Look {
  /** Ids of active jobs. */
  readonly active: ReadonlySet<string>;
  /** The number of the newest job. Numbers ascend in the order of submission. */
  readonly newest: number;
}

export function remember(jobs: readonly Job[]): Look {
  const active = jobs.filter(({ terminal_stage: ended }) => !ended);
  return {
    active: new Set(active.map(({ job_id: id }) => id)),
    newest: Math.max(0, ...jobs.map(({ id }) => id)),
  };
}

/** Lists the jobs that have ended since the last look, also those that were submitted since. */
export function findEnded({ active, newest }: Look, jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(
    ({ id, job_id: jobId, terminal_stage: ended, stage }) =>
      ended && stage !== 'DELETED' && (active.has(jobId) || id > newest),
  );
}

/** More than this many become one notification. */
const mostAtOnce = 3;

function tell(ended: readonly Job[]): void {
  if (ended.length > mostAtOnce) {
    notify(phrase('haveEnded', { count: ended.length }), { tag: 'many', address: addressOf.jobs });
    return;
  }
  for (const job of ended) {
    notify(describeEnd(job), { tag: job.job_id, address: addressOf.job(job) });
  }
}

export function describeEnd({ title, job_id: id, failed, stage }: Job): string {
  const name = title === '' ? id : phrase('quoted', { title });
  if (failed) return phrase('failed', { name });
  return stage === 'CANCELED' ? phrase('wasCancelled', { name }) : phrase('hasEnded', { name });
}
