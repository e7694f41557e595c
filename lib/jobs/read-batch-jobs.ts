import type { BatchId, UserId } from '#lib/catalog/identifiers.ts';
import { jobListRange } from '#lib/table/keys.ts';
import { queryPages, selectJobs } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Job, jobFromItem } from './job.ts';

/** A batch, as far as its jobs are found by it. They have numbers without a gap. */
interface JobsOfBatch {
  readonly id: BatchId;
  readonly owner: UserId;
  readonly firstId: number;
  readonly count: number;
}

/** Walks the jobs of a batch, page by page and strongly consistent, with the first ones first. */
export async function* walkBatchJobs(
  table: Table,
  batch: JobsOfBatch,
  { from = 0, to = batch.count }: { readonly from?: number; readonly to?: number } = {},
): AsyncGenerator<Job[]> {
  // The table refuses an empty range.
  if (to <= from) return;
  const { owner, firstId } = batch;
  const range = jobListRange({}, firstId + from, firstId + to - 1);
  const pages = queryPages(table, selectJobs(owner, range), jobFromItem);
  // In a table that records were imported into, others may have these numbers.
  for await (const jobs of pages) yield jobs.filter((job) => job.batch?.id === batch.id);
}

/** Reads the jobs of a batch from a place up to another, which is not included. */
export async function readJobsAt(
  table: Table,
  batch: JobsOfBatch,
  from: number,
  to: number,
): Promise<Job[]> {
  const jobs: Job[] = [];
  for await (const page of walkBatchJobs(table, batch, { from, to })) jobs.push(...page);
  return jobs;
}
