import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { doubtWaiting } from '#lib/jobs/run/hand-over/doubt-waiting.ts';
import { type CounterName, counterNames } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { raiseCounter, readCounter } from '#lib/table/writes/counter.ts';

export interface Prepared {
  /** How many jobs their systems are asked for before they are handed over. */
  readonly doubted: number;
  /** The next number of each kind. */
  readonly next: Readonly<Record<CounterName, number>>;
}

/**
 * Makes a table that was restored to an earlier moment fit to be served again: what was done since
 * then has left traces in the systems and with people, but none in the table. It may be repeated;
 * that only leaves out more numbers.
 */
export async function prepareTable(
  table: Table,
  systems: readonly HpcSystem[],
  leaveOut: number,
): Promise<Prepared> {
  let doubted = 0;
  for (const { name } of systems) doubted += await doubtWaiting(table, name);
  const next = { job: 0, quota: 0, project: 0, user: 0 };
  for (const name of counterNames) {
    const last = (await readCounter(table, name)) + leaveOut;
    await raiseCounter(table, name, last);
    next[name] = last + 1;
  }
  return { doubted, next };
}
