import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Table } from '#lib/table/table.ts';
import type { JobList } from './job-list.ts';
import { type JobRun, readJobs } from './read-jobs.ts';
import { readNamedJob } from './read-named-job.ts';

/** One run of a caller's jobs, strongly consistent. */
export async function readOwnJobs(
  table: Table,
  catalog: Catalog,
  list: JobList,
  after?: number,
  limit?: number,
): Promise<JobRun> {
  const { jobId } = list;
  return jobId === undefined
    ? readJobs(table, list, after, limit)
    : readNamedJob(table, catalog, list, jobId);
}
