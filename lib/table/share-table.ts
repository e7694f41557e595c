import { openTable, type Table } from './table.ts';

const shared = new Map<string, Table>();

/**
 * The table of the functions: one client, with its connections, for all of a process. `$default`
 * holds a dozen handlers, and the laptop edition all of them.
 */
export function shareTable(name: string): Table {
  const table = shared.get(name) ?? openTable(name);
  shared.set(name, table);
  return table;
}
