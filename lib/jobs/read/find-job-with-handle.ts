import type { JobPlace } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';

/** A job, and what its HPC system calls it once it was handed over. */
export async function findJobWithHandle(table: Table, place: JobPlace, jobId: string) {
  const job = await findJob(table, place, jobId);
  const { handle } = await findLife(table, place, jobId);
  return { ...job, handle };
}
