import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { JobNotFoundError } from '../errors.ts';
import type { Job } from '../job.ts';
import { readRequest } from '../job-request.ts';
import { findJob } from '../job-store.ts';
import { signedSeconds } from './passes.ts';

/** Finds the job of a pass. A pass is invalid once its job has ended. */
export async function findActiveJob(table: Table, account: AccountKey, jobId: JobId): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (job.terminal) throw new JobNotFoundError();
  return job;
}

/**
 * Far longer than our cancel takes to reach Slurm plus the time a job then has to end (KillWait).
 */
const cancelledSeconds = 15 * 60;

/**
 * Finds a job that may send its results: an active one, or one that was cancelled just now. Its
 * script is told to end after our cancel, and sends what there is.
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

export async function handOutInput(
  table: Table,
  inputs: ObjectStore,
  account: AccountKey,
  jobId: JobId,
): Promise<string> {
  const job = await findActiveJob(table, account, jobId);
  const key = (await readRequest(table, job))?.input.key;
  if (key === undefined) throw new JobNotFoundError();
  return inputs.addressToRead(key, { expiresInSeconds: signedSeconds });
}
