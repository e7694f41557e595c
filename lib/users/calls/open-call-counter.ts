import { shareTable } from '#lib/table/share-table.ts';
import { type CallCount, countCalls } from './count-calls.ts';

/** Tells of calls, and hears how many there are in all. */
export type CallCounter = (count: CallCount, calls: number) => Promise<number>;

/**
 * What all containers of a function know of a caller together. A function without a table has none,
 * and its bundle is without the SDK (infra/constructs/functions/stand-ins.ts).
 */
export function openCallCounter(tableName: string | undefined): CallCounter | undefined {
  if (tableName === undefined) return undefined;
  const table = shareTable(tableName);
  return (count, calls) => countCalls(table, count, calls);
}
