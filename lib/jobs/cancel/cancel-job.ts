import { randomUUID } from 'node:crypto';
import type { Act } from '#lib/audit/act.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotLivingError } from '../errors.ts';
import { accountOf, type Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { endJob } from '../life/end-job.ts';
import { findLife } from '../life/job-life-store.ts';

/** Why a job is cancelled, and what an administrator did where it was not its owner. */
export interface CancelCause {
  readonly reason: string;
  readonly act?: Act;
}

/** The time it has been seen running is charged; the HPC system is told by the next sweep. */
export async function cancelJob(
  table: Table,
  job: Job,
  { reason, act }: CancelCause,
  now: Date,
): Promise<void> {
  const { runningSince } = await findLife(table, accountOf(job), job.jobId);
  const ranSeconds = runningSince ? (now.getTime() - runningSince.getTime()) / 1000 : 0;
  const end = { stage: ownStages.canceled, failed: false, endedAt: now, ranSeconds, runningSince };
  await endJob(table, job, { ...end, reason, cancelled: true }, now, act);
}

/** What an administrator wants of somebody's job. */
export interface CancelOrder {
  readonly account: AccountKey;
  readonly jobId: JobId;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/**
 * Anybody's living job. One that was cancelled before stays as it is; one that ended otherwise is
 * refused, for nothing was stopped. What has ended is its owner's to delete.
 */
export async function cancelAnyJob(
  table: Table,
  { account, jobId, reason, by }: CancelOrder,
  now = new Date(),
): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (job.terminal) return requireCancelled(job);
  const act: Act = {
    id: randomUUID(),
    kind: 'job-cancelled',
    at: now,
    by,
    reason,
    subject: { ...account, jobId },
    details: { stage: { before: job.stage, after: ownStages.canceled } },
  };
  await cancelJob(table, job, { reason: `Cancelled by an administrator: ${reason}`, act }, now);
  // Its completion, or its owner, or the same request a moment ago, may have been first.
  return requireCancelled(await findJob(table, account, jobId));
}

function requireCancelled(job: Job): Job {
  if (job.stage !== ownStages.canceled) throw new JobNotLivingError(job.stage);
  return job;
}
