import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { findDueJobs } from './due-jobs.ts';

/** Seconds for which the job that waits longest on a system has been due; 0 where none is. */
export async function findOldestDue(
  table: Table,
  hpc: SystemName,
  now = new Date(),
): Promise<number> {
  const firstOfEachShard = await findDueJobs(table, hpc, now, 1);
  const waits = firstOfEachShard.map(({ dueAt }) => now.getTime() - Date.parse(dueAt));
  return Math.round(Math.max(0, ...waits) / 1000);
}
