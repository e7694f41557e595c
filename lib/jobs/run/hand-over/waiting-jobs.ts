import type { SystemName } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { changeDue, type DueKey, walkDue } from '#lib/table/due-index.ts';
import { checksOf, handOversOf, listShards } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { changeIf } from '#lib/table/writes.ts';

/**
 * Makes hand-overs due at once that the previous process began and did not end. Only safe for a
 * process that is alone with its table, before its first hand-over. Returns their number.
 */
export async function releaseCutOff(table: Table, hpc: SystemName, now: Date): Promise<number> {
  // A job that waits for its turn or for its system goes on waiting.
  const wasCutOff = ['attribute_exists(trying_since)'];
  return walkWaiting(table, hpc, (life) => releaseOne(table, life, now, wasCutOff));
}

/** Makes all jobs due that are held back for a maintenance, so that they are judged again. */
export async function releaseHeld(table: Table, hpc: SystemName, now: Date): Promise<number> {
  return walkWaiting(table, hpc, (life) =>
    releaseOne(table, life, now, ['attribute_exists(held)']),
  );
}

/**
 * Makes all jobs of a system due for a check at once, because the previous process may have left
 * leases. Only for systems that bear a check at any time, and for a process that is alone.
 */
export async function releaseChecks(table: Table, hpc: SystemName, now: Date): Promise<number> {
  const checks = await walkShards(table, listShards(checksOf(hpc)), (life) =>
    releaseOne(table, life, now),
  );
  return checks + (await walkWaiting(table, hpc, (life) => forgetHandOver(table, life, now)));
}

/**
 * Ends the hand-over of a job that was cancelled meanwhile. Its process is gone, so the job can't
 * arrive any more, and what it holds need not wait for that.
 */
function forgetHandOver(table: Table, { PK, SK }: DueKey, now: Date): Promise<boolean> {
  return changeIf(
    table,
    { PK, SK },
    {
      set: { due_at: now.toISOString(), trying_since: undefined },
      when: ['attribute_exists(cancel_pending)', 'attribute_exists(trying_since)'],
    },
  );
}

async function releaseOne(
  table: Table,
  due: DueKey,
  now: Date,
  conditions: readonly string[] = [],
): Promise<boolean> {
  const set = { due_at: now.toISOString() };
  const when = ['due_at > :due_at', ...conditions];
  return (await changeDue(table, due, { set, when })) !== undefined;
}

/**
 * Counts every unclaimed job as claimed once, so that its system is asked for it before it is
 * handed over. In a restored table, which is older than the systems, such a job may already run
 * there. Returns the number of those jobs.
 */
export async function distrustWaiting(table: Table, hpc: SystemName): Promise<number> {
  // Jobs of all systems that wait for others may have been released since, too.
  const shards = [...listShards(handOversOf(hpc)), ...listShards('WAITING')];
  return walkShards(table, shards, ({ PK, SK }) =>
    changeIf(table, { PK, SK }, { set: { attempts: 1 }, expect: { attempts: 0 } }),
  );
}

/** Marks all active batches, because their jobs are created or released later. */
export async function distrustBatches(table: Table): Promise<number> {
  return walkShards(table, listShards('BATCHES'), ({ PK, SK }) =>
    changeIf(table, { PK, SK }, { set: { doubted: true } }),
  );
}

/** Later than any lease. */
const everything = new Date('9999-01-01T00:00:00Z');

const pageSize = 250;
const parallelWrites = 25;

/** Changes the lives of all jobs that wait to be handed over. Returns how many were changed. */
async function walkWaiting(
  table: Table,
  hpc: SystemName,
  change: (life: DueKey) => Promise<boolean>,
): Promise<number> {
  return walkShards(table, listShards(handOversOf(hpc)), change);
}

async function walkShards(
  table: Table,
  shards: Parameters<typeof walkDue>[1],
  change: (life: DueKey) => Promise<boolean>,
): Promise<number> {
  let changed = 0;
  for await (const page of walkDue(table, shards, everything, pageSize)) {
    await mapInParallel(page, parallelWrites, async (life) => {
      if (await change(life)) changed += 1;
    });
  }
  return changed;
}
