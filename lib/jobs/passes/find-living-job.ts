import type { JobId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';
import type { Job } from '../job.ts';
import { findJob } from '../job-store.ts';

/** A pass ends with its job: what was cancelled, or has ended, has no files to move any more. */
export async function findLivingJob(table: Table, account: AccountKey, jobId: JobId): Promise<Job> {
  const job = await findJob(table, account, jobId);
  if (job.terminal) throw new JobNotFoundError();
  return job;
}
