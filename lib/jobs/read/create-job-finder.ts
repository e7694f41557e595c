import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, jobFollowerKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';

/** How long a job counts as followed. A follower asks for its files every few seconds. */
const followedSeconds = 60;
/** The note of a follower is written again after this long, and not with every request. */
const repeatSeconds = 20;

/**
 * Finds a job, the login it runs as, its handle once it was handed over, and the run that counts. If an active job sends
 * its own output, also notes that somebody follows it.
 */
export function createJobFinder(table: Table) {
  const noted = keepMoments();
  return async (account: AccountKey, jobId: JobId, sendsOutput = false, now = new Date()) => {
    const job = await findJob(table, account, jobId);
    const { handle, login, run } = await findLife(table, account, jobId);
    const isNoted = now.getTime() - noted.of(jobId) < repeatSeconds * 1000;
    if (sendsOutput && !job.terminal && !isNoted) {
      await noteFollower(table, account, jobId, now);
      noted.note(jobId, now);
    }
    return { ...job, handle, login, run };
  };
}

/**
 * Writes an item of its own, because each change of a job's life would wake the function that hands
 * jobs over.
 */
async function noteFollower(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now: Date,
): Promise<void> {
  await putItem(table, {
    Item: {
      ...jobFollowerKey(account, jobId),
      type: 'job-follower',
      schema_version: 1,
      expires_at: Math.ceil(now.getTime() / 1000) + followedSeconds,
    },
  });
}

/**
 * Remembers when something was last done for a job, to save calls. Covers this process and the
 * latest jobs only.
 */
export function keepMoments(most = 10_000) {
  const moments = new Map<JobId, number>();
  return {
    of: (jobId: JobId): number => moments.get(jobId) ?? 0,
    note(jobId: JobId, at: Date): void {
      moments.delete(jobId);
      moments.set(jobId, at.getTime());
      const [oldest] = moments.keys();
      if (moments.size > most && oldest !== undefined) moments.delete(oldest);
    },
  };
}
