import type { SQLInputValue } from 'node:sqlite';
import type { Database } from './database.ts';
import type { EncodedKey, StoredItem } from './item-store.ts';
import {
  type IndexDefinition,
  indexTable,
  itemsTable,
  type TableDefinition,
} from './table-definition.ts';

export interface Bound {
  readonly bytes: Buffer;
  readonly inclusive: boolean;
}

export interface Range {
  readonly table: TableDefinition;
  readonly index: IndexDefinition | undefined;
  /** Without a hash, all partitions are read in order. */
  readonly hash?: Buffer | undefined;
  readonly from?: Bound | undefined;
  readonly to?: Bound | undefined;
  readonly descending: boolean;
  /** Last position of the previous page: the key of the entry and of its item. */
  readonly after?: { readonly entry: EncodedKey; readonly item: EncodedKey } | undefined;
}

/** Reads the items of a range lazily, in key order. */
export function* readRange(database: Database, range: Range): Generator<StoredItem> {
  const { sql, values } = writeQuery(range);
  const statement = database.statement(sql);
  statement.setReturnArrays(true);
  for (const row of statement.iterate(...values)) {
    const [id, text, bytes] = Object.values(row);
    yield { id: Number(id), text: String(text), bytes: Number(bytes) };
  }
}

function writeQuery(range: Range): { sql: string; values: SQLInputValue[] } {
  const { table, index, descending } = range;
  const items = itemsTable(table);
  const source = index
    ? `${indexTable(table, index)} AS entry JOIN ${items} AS items ON items.id = entry.item`
    : `${items} AS entry`;
  const stored = index ? 'items' : 'entry';
  const conditions = listConditions(range);
  const where =
    conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
  const direction = descending ? 'DESC' : 'ASC';
  return {
    sql: `SELECT ${stored}.id, ${stored}.item, ${stored}.bytes FROM ${source} ${where}
      ORDER BY ${orderOf(range)
        .map((name) => `${name} ${direction}`)
        .join(', ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
}

function orderOf({ index, hash }: Pick<Range, 'index' | 'hash'>): string[] {
  return [
    ...(hash ? ['entry.range'] : ['entry.hash', 'entry.range']),
    ...(index ? ['entry.item_hash', 'entry.item_range'] : []),
  ];
}

function listConditions({ index, hash, from, to, after, descending }: Range) {
  const conditions: { sql: string; values: SQLInputValue[] }[] = [];
  if (hash) conditions.push({ sql: 'entry.hash = ?', values: [hash] });
  if (from) {
    conditions.push({ sql: `entry.range >${from.inclusive ? '=' : ''} ?`, values: [from.bytes] });
  }
  if (to) {
    conditions.push({ sql: `entry.range <${to.inclusive ? '=' : ''} ?`, values: [to.bytes] });
  }
  if (after) {
    const { entry, item } = after;
    const names = orderOf({ index, hash });
    const marks = names.map(() => '?').join(', ');
    conditions.push({
      sql: `(${names.join(', ')}) ${descending ? '<' : '>'} (${marks})`,
      values: [
        ...(hash ? [entry.range] : [entry.hash, entry.range]),
        ...(index ? [item.hash, item.range] : []),
      ],
    });
  }
  return conditions;
}
