import { useEffect } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { addressOf } from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { notify } from './browser-notifications.ts';

/** Rare, because it goes on in a hidden tab. */
const pauseMs = 20_000;
const newestSize = 100;

/** Notifies when jobs end, also while another tab is in front. Shows nothing itself. */
export function EndWatcher() {
  const service = useService();
  useEffect(() => {
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let active: ReadonlySet<string> = new Set();
    const look = async () => {
      try {
        const asked = { order: 'desc', limit: newestSize } as const;
        const jobs = await service.listJobs(asked, { signal: leaving.signal });
        tell(findEnded(active, jobs));
        active = listActive(jobs);
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

export function listActive(jobs: readonly Job[]): ReadonlySet<string> {
  return new Set(jobs.filter(({ terminal_stage: ended }) => !ended).map(({ job_id: id }) => id));
}

/** Lists the jobs that were active at the last look and have ended since. */
export function findEnded(active: ReadonlySet<string>, jobs: readonly Job[]): readonly Job[] {
  return jobs.filter(
    ({ job_id: id, terminal_stage: ended, stage }) =>
      ended && stage !== 'DELETED' && active.has(id),
  );
}

/** More than this many become one notification. */
const mostAtOnce = 3;

function tell(ended: readonly Job[]): void {
  if (ended.length > mostAtOnce) {
    notify(`${ended.length} jobs have ended`, { tag: 'many', address: addressOf.jobs });
    return;
  }
  for (const job of ended) {
    notify(describeEnd(job), { tag: job.job_id, address: addressOf.job(job) });
  }
}

export function describeEnd({ title, job_id: id, failed, stage }: Job): string {
  const name = title === '' ? id : `'${title}'`;
  if (failed) return `Job ${name} failed`;
  return stage === 'CANCELED' ? `Job ${name} was cancelled` : `Job ${name} has ended`;
}
