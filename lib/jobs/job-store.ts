import type { JobId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { type AccountKey, jobKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { JobNotFoundError } from './errors.ts';
import { type Job, jobFromItem, jobToItem } from './job.ts';

export async function findJob(table: Table, account: AccountKey, jobId: JobId): Promise<Job> {
  const job = await readItem(table, jobKey(account, jobId), jobFromItem);
  if (!job) throw new JobNotFoundError();
  return job;
}

export function createJob(job: Job): Step {
  return putOnce(jobToItem(job));
}

/**
 * Puts one of a job's items unless it exists. Job ids are random, but a collision must not
 * overwrite a job, and the condition costs nothing.
 */
export function putOnce(Item: Readonly<Record<string, unknown>>): Step {
  return {
    Put: { Item, ...ifMissing },
    refuse: () => new Error('A job with this identifier already exists.'),
  };
}
