import { isJobId } from '#lib/catalog/identifiers.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { jobRegistry } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { readRegistryKeys } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { lifeFromItem } from '../life/job-life.ts';

export interface ReportedJob {
  readonly hpc: string;
  readonly due: DueKey;
}

/**
 * Finds the job that AWS Batch has reported, with the time at which its next check is due. Returns
 * undefined for a job of somebody else, for one that has ended, and for a container that is not the
 * job's own. The registry may miss a job that was submitted a moment ago. The sweep checks that one.
 */
export async function findReported(
  table: Table,
  { jobName, handle }: { readonly jobName: string; readonly handle: string },
): Promise<ReportedJob | undefined> {
  if (!isJobId(jobName)) return undefined;
  const { keys } = await readRegistryKeys(table, jobRegistry(jobName), 1);
  const [key] = keys;
  if (!key) return undefined;
  const life = await readItem(table, key, lifeFromItem);
  if (life?.handle !== handle || !life.dueAt) return undefined;
  return { hpc: life.account.hpc, due: { ...key, dueAt: life.dueAt.toISOString() } };
}
