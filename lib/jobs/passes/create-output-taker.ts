import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { outputTailKey, type SendingRun } from '#lib/files/object-keys.ts';
import { type OutputTail, writeOutputTail } from '#lib/files/results/output-tail.ts';
import { type AccountKey, jobFollowerKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { keepMoments } from '../read/create-job-finder.ts';
import { findSendingJob } from './find-active-job.ts';
import type { ResultsContext } from './take-results.ts';

/** A job may be told to send every five seconds. A faster one is a job that was tampered with. */
const shortestPauseMs = 2_000;

async function isFollowed(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now: Date,
): Promise<boolean> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: jobFollowerKey(account, jobId) }),
  );
  return Number(Item?.expires_at ?? 0) * 1000 > now.getTime();
}

export interface SentOutput {
  readonly tail: OutputTail;
  /** Sent by a job that is being ended, whether or not somebody follows it. */
  readonly isLast: boolean;
}

/**
 * Answers a running job whether somebody follows it, and keeps the end of its output if so. Without
 * a follower the answer costs one small read, and nothing is stored.
 */
export function createOutputTaker({ table, results }: Pick<ResultsContext, 'table' | 'results'>) {
  const taken = keepMoments();
  return async (
    account: AccountKey,
    { jobId, run }: Pick<SendingRun, 'jobId' | 'run'>,
    sent: SentOutput | undefined,
    now = new Date(),
  ): Promise<boolean> => {
    const followed = await isFollowed(table, account, jobId, now);
    if (!sent || (!followed && !sent.isLast)) return followed;
    const { owner } = await findSendingJob(table, account, jobId, now);
    const pauseMs = now.getTime() - taken.of(jobId);
    if (pauseMs >= shortestPauseMs || sent.isLast) {
      taken.note(jobId, now);
      await results.put(outputTailKey({ owner, jobId, run }), writeOutputTail(sent.tail));
    }
    return followed;
  };
}
