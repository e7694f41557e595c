import { encodeKey } from '../values/encode-key.ts';
import type { Database } from './database.ts';
import { indexTable, type TableDefinition } from './table-definition.ts';

/**
 * Counts the entries of partitions of an index up to a sort key, and finds the first of them. Reads
 * no items.
 */
export function measureIndex(
  database: Database,
  table: TableDefinition,
  name: string,
  { partitions, to }: { readonly partitions: readonly string[]; readonly to: string },
): { readonly entries: number; readonly first: string | undefined } {
  const index = table.indexes.find((each) => each.name === name);
  if (!index) throw new Error(`The table ${table.name} has no index ${name}.`);
  const statement = database.statement(
    `SELECT count(*) AS entries, CAST(min(range) AS TEXT) AS first
     FROM ${indexTable(table, index)} WHERE hash = ? AND range <= ?`,
  );
  const found = partitions.map((partition) =>
    statement.get(encodeKey({ S: partition }), encodeKey({ S: to })),
  );
  const firsts = found.flatMap((row) => (typeof row?.first === 'string' ? [row.first] : []));
  return {
    entries: found.reduce((sum, row) => sum + Number(row?.entries), 0),
    first: firsts.sort()[0],
  };
}
