import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, jobFollowerKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';

/** Whoever follows a job asks for its files every few seconds. */
const followedSeconds = 60;
/** It is noted again well before it ends, and not with every question. */
const repeatSeconds = 20;

/**
 * Finds a job, as whom it runs, and what its HPC system calls it once it was handed over. Where a job
 * sends its own output, it is noted that somebody follows it while it lives.
 */
export function createJobFinder(table: Table) {
  const noted = keepMoments();
  return async (account: AccountKey, jobId: JobId, sendsOutput = false, now = new Date()) => {
    const job = await findJob(table, account, jobId);
    const { handle, login } = await findLife(table, account, jobId);
    const isNoted = now.getTime() - noted.of(jobId) < repeatSeconds * 1000;
    if (sendsOutput && !job.terminal && !isNoted) {
      await noteFollower(table, account, jobId, now);
      noted.note(jobId, now);
    }
    return { ...job, handle, login };
  };
}

/** An item of its own: each change of a job's life would wake those who hand jobs over. */
async function noteFollower(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now: Date,
): Promise<void> {
  await table.client.send(
    new PutCommand({
      TableName: table.name,
      Item: {
        ...jobFollowerKey(account, jobId),
        type: 'job-follower',
        schema_version: 1,
        expires_at: Math.ceil(now.getTime() / 1000) + followedSeconds,
      },
    }),
  );
}

/** When something was last done for a job, in this process alone and of the last jobs: it spares calls. */
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
