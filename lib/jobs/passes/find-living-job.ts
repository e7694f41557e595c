import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { JobNotFoundError } from '../errors.ts';
import type { Job } from '../job.ts';
import { findJob } from '../job-store.ts';

/** A pass ends with its job: one that has ended fetches nothing any more. */
export async function findLivingJob(table: Table, account: AccountKey, jobId: JobId): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (job.terminal) throw new JobNotFoundError();
  return job;
}

/** What Slurm leaves a job to end itself (KillWait) and our cancel to reach it, and far more. */
const cancelledSeconds = 15 * 60;

/**
 * A job that may send what it wrote: one that lives, or that was cancelled just now. Its script is
 * told to end after our cancel, and sends what there is.
 */
export async function findSendingJob(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  now: Date,
): Promise<Job> {
  const job = await findJob(table, account, jobId);
  const { terminal, stage, endedAt } = job;
  if (!terminal) return job;
  const isCancelled = stage === ownStages.canceled && endedAt !== null;
  if (isCancelled && now < addSeconds(endedAt, cancelledSeconds)) return job;
  throw new JobNotFoundError();
}
