import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { settleQuota } from '#lib/quotas/holds/settle-quota.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { accountOf, type Job } from '../job.ts';

import { findJob } from '../job-store.ts';
import { JobEndedError } from '../life/end-job.ts';
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
  if (job.stage === ownStages.canceled || job.stage === ownStages.deleted) return job;
  try {
    await (job.terminal
      ? forgetJob(table, job, now)
      : cancelJob(table, job, cancelledByOwner, now));
  } catch (error) {
    // Its completion, or the same request a moment ago, was first: that is the answer then.
    if (!(error instanceof JobEndedError)) throw error;
  }
  return findJob(table, account, jobId);
}

const cancelledByOwner = { reason: 'Cancelled by its owner.' };

/** Its record stays; the space of its input is given back. */
async function forgetJob(table: Table, job: Job, now: Date): Promise<void> {
  await writeTransaction(table, [markDeleted(job), ...returnSpace(job, now)]);
}

/** Of a job without input there is nothing to give back, and its quota may be gone by now. */
function returnSpace({ owner, project, jobId, hold: { kilobytes } }: Job, at: Date): Step[] {
  if (kilobytes === 0) return [];
  const account = { user: owner, hpc: project.hpc, project: project.name };
  return [
    settleQuota(account, { used: 0, returned: 0, kilobytes, endsJob: false }),
    writeLedgerLine({
      ...account,
      kind: 'refund',
      seconds: 0,
      kilobytes,
      at,
      by: owner,
      reason: 'job deleted',
      jobId,
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
    refuse: () => new JobEndedError(),
  };
}
