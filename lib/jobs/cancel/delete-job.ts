import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { lineOf, settleSteps } from '#lib/quotas/draws.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { changeOf } from '#lib/table/change.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { accountOf, isDiscarded, type Job, paymentOf } from '../job.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';
import { tooLate, writeIfFirst } from '../life/write-if-first.ts';
import { cancelJob, hasWaitedLong, settleByClock } from './cancel-job.ts';

/** An administrator's order to cancel or delete somebody's job. */
export interface JobOrder {
  readonly reason: string;
  readonly by: string;
  /**
   * Settles a cancelled job at once, because its quota is removed and nobody could charge it later.
   */
  readonly settlesNow?: boolean;
}

/**
 * Restricts a request to one action. If the job's state calls for the other one, nothing happens.
 */
export type Wish = 'cancel' | 'delete';

/**
 * Cancels an active job or deletes an ended one. A job that was already cancelled or deleted stays
 * as it is, so that a repeated request has no second effect (docs/decisions/0014). A cancelled job
 * is settled by our clock if its system has not reported its run time for a day. With `only`, does
 * nothing but that action. `delete` then also works on a cancelled job, because it cannot be a
 * repeated cancel.
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
  if (only === 'delete' && job.stage === ownStages.canceled && !job.awaitsSettlement) {
    await writeIfFirst(table, [markDeleted(job)]);
    return findJob(table, account, jobId);
  }
  return discard(table, job, now);
}

/** Cancels or deletes anybody's job for an administrator, and records it in the audit. */
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
  // The job's completion or the same request may have come first. The current state is the answer.
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

/** Keeps the job's record and gives back the space of its input. */
async function deleteEndedJob(table: Table, job: Job, now: Date, act?: Act): Promise<void> {
  await writeIfFirst(table, [
    markDeleted(job),
    ...returnSpace(job, now, act),
    ...(act ? [recordAct(act)] : []),
  ]);
}

/** Returns no steps for a job without input, because its quota may be gone by now. */
function returnSpace(job: Job, at: Date, act?: Act): Step[] {
  const { kilobytes } = job.hold;
  if (kilobytes === 0) return [];
  const payment = paymentOf(job);
  return [
    ...settleSteps(payment, { used: 0, returned: 0, kilobytes, jobs: 0 }),
    writeLedgerLine({
      ...lineOf(payment),
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
    Update: changeOf(jobKey(accountOf(job), job.jobId), {
      set: { stage: ownStages.deleted },
      expect: { terminal: true, stage: job.stage },
    }),
    refuse: tooLate,
  };
}
