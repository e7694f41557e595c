import { openTable, type Table } from './table.ts';

const shared = new Map<string, Table>();

/**
 * Opens a table once per process, so that all functions share one client and its connections.
 * `$default` holds a dozen handlers, and the laptop edition holds all of them.
 */
export function shareTable(name: string): Table {
  const table = shared.get(name) ?? openTable(name);
  shared.set(name, table);
  return table;
}
