import type { JobId } from '#lib/catalog/identifiers.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { findJob } from '../job-store.ts';
import { findLife } from '../life/job-life-store.ts';

/** A job, as whom it runs, and what its HPC system calls it once it was handed over. */
export async function findJobWithHandle(table: Table, account: AccountKey, jobId: JobId) {
  const job = await findJob(table, account, jobId);
  const { handle, login } = await findLife(table, account, jobId);
  return { ...job, handle, login };
}
