import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { settleQuota } from '#lib/quotas/holds.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { accountOf, isDiscarded, type Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';
import { tooLate, writeIfFirst } from '../life/write-if-first.ts';
import { cancelJob, hasWaitedLong, settleByClock } from './cancel-job.ts';

/** Why an administrator wants somebody's job away. */
export interface JobOrder {
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
  /** Whether a cancelled job is settled at once, because its quota goes: nobody charges it any more. */
  readonly settlesNow?: boolean;
}

/** What a caller wants, where they say so: then whatever else a job needs is not done to it. */
export type Wish = 'cancel' | 'delete';

/**
 * A living job is cancelled, an ended one is deleted; one that was cancelled or deleted before
 * stays as it is, so that a repeated request does no second thing (docs/decisions/0014). Only one
 * whose system has not said for a day how long it ran is settled without it. With a wish, only that is
 * done: to delete may then be said of a cancelled job as well, because it cannot be a repeated cancel.
 */
export async function deleteJob(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now = new Date(),
  only?: Wish,
): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (only === 'delete' && !job.terminal) return job;
  if (only === 'cancel' && job.terminal && !isDiscarded(job)) return job;
  if (only === 'delete' && isCancelled(job) && !job.awaitsSettlement) {
    await writeIfFirst(table, [markDeleted(job)]);
    return findJob(table, account, jobId);
  }
  return discard(table, job, now);
}

function isCancelled({ stage }: Job): boolean {
  return stage === ownStages.canceled;
}

/** The same with anybody's job, by an administrator: the audit tells of it. */
export async function deleteAnyJob(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  order: JobOrder,
  now = new Date(),
): Promise<Job> {
  return discard(table, await findJob(table, account, jobId), now, order);
}

async function discard(table: Table, job: Job, now: Date, order?: JobOrder): Promise<Job> {
  const settlesNow = order?.settlesNow ?? false;
  if (isDiscarded(job)) {
    if (!job.awaitsSettlement || !(settlesNow || hasWaitedLong(job, now))) return job;
    const life = await findLife(table, accountOf(job), job.jobId);
    await settleByClock(table, { job, life }, now);
    return findJob(table, accountOf(job), job.jobId);
  }
  const act = order && describeAct(job, order, now);
  if (job.terminal) await deleteEndedJob(table, job, now, act);
  else await cancelJob(table, job, now, { act, settlesNow });
  // Its completion, or the same request a moment ago, may have been first: that is the answer then.
  return findJob(table, accountOf(job), job.jobId);
}

function describeAct(job: Job, { reason, by }: JobOrder, at: Date): Act {
  const { canceled, deleted } = ownStages;
  return {
    id: randomUUID(),
    kind: job.terminal ? 'job-deleted' : 'job-cancelled',
    at,
    by,
    reason,
    subject: { ...accountOf(job), jobId: job.jobId },
    details: { stage: { before: job.stage, after: job.terminal ? deleted : canceled } },
  };
}

/** Its record stays; the space of its input is given back. */
async function deleteEndedJob(table: Table, job: Job, now: Date, act?: Act): Promise<void> {
  await writeIfFirst(table, [
    markDeleted(job),
    ...returnSpace(job, now, act),
    ...(act ? [recordAct(act)] : []),
  ]);
}

/** Of a job without input there is nothing to give back, and its quota may be gone by now. */
function returnSpace(job: Job, at: Date, act?: Act): Step[] {
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
      by: act?.by ?? job.owner,
      reason: act ? `job deleted by an administrator: ${act.reason}` : 'job deleted',
      jobId: job.jobId,
      ...(act && { actId: act.id }),
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
