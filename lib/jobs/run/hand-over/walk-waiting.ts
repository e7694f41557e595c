import type { SystemName } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listHandOverShards } from '#lib/table/keys.ts';
import { type DueKey, walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';

/** Later than any lease. */
const everything = new Date('9999-01-01T00:00:00Z');

const pageSize = 250;
const parallelWrites = 25;

/** Changes the lives of all jobs that wait to be handed over. Returns how many were changed. */
export async function walkWaiting(
  table: Table,
  hpc: SystemName,
  change: (life: DueKey) => Promise<boolean>,
): Promise<number> {
  let changed = 0;
  for await (const page of walkDue(table, listHandOverShards(hpc), everything, pageSize)) {
    await mapInParallel(page, parallelWrites, async (life) => {
      if (await change(life)) changed += 1;
    });
  }
  return changed;
}
