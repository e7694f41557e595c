import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { settleQuota } from '#lib/quotas/holds/settle-quota.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { accountOf, isDiscarded, type Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { tooLate, writeIfFirst } from '../life/write-if-first.ts';
import { cancelJob } from './cancel-job.ts';

/**
 * A living job is cancelled, an ended one is deleted; one that was cancelled or deleted before
 * stays as it is, so that a repeated request does no second thing (docs/decisions/0014).
 */
export async function deleteJob(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now = new Date(),
): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (isDiscarded(job)) return job;
  await (job.terminal
    ? deleteEndedJob(table, job, now)
    : cancelJob(table, job, cancelledByOwner, now));
  // Its completion, or the same request a moment ago, may have been first: that is the answer then.
  return findJob(table, account, jobId);
}

const cancelledByOwner = { reason: 'Cancelled by its owner.' };

/** Its record stays; the space of its input is given back. */
async function deleteEndedJob(table: Table, job: Job, now: Date): Promise<void> {
  await writeIfFirst(table, [markDeleted(job), ...returnSpace(job, now)]);
}

/** Of a job without input there is nothing to give back, and its quota may be gone by now. */
function returnSpace(job: Job, at: Date): Step[] {
  const { kilobytes } = job.hold;
  if (kilobytes === 0) return [];
  const account = accountOf(job);
  return [
    settleQuota(account, { used: 0, returned: 0, kilobytes, endsJob: false }),
    writeLedgerLine({
      ...account,
      kind: 'refund',
      seconds: 0,
      kilobytes,
      at,
      by: job.owner,
      reason: 'job deleted',
      jobId: job.jobId,
    }),
  ];
}

function markDeleted(job: Job): Step {
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: jobKey(accountOf(job), job.jobId),
        UpdateExpression: 'SET stage = :deleted',
        ConditionExpression: 'terminal = :yes AND stage = :stage',
        ExpressionAttributeValues: {
          ':deleted': ownStages.deleted,
          ':yes': true,
          ':stage': job.stage,
        },
      },
    }),
    refuse: tooLate,
  };
}
