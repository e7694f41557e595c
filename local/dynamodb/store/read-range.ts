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
  const { table, index, hash, descending } = range;
  const items = itemsTable(table);
  const source = index
    ? `${indexTable(table, index)} AS entry JOIN ${items} AS items ON items.id = entry.item`
    : `${items} AS entry`;
  const stored = index ? 'items' : 'entry';
  const order = [
    'entry.hash',
    'entry.range',
    ...(index ? ['entry.item_hash', 'entry.item_range'] : []),
  ];
  const conditions = listConditions(range);
  const where =
    conditions.length > 0 ? `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}` : '';
  const direction = descending ? 'DESC' : 'ASC';
  return {
    sql: `SELECT ${stored}.id, ${stored}.item, ${stored}.bytes FROM ${source} ${where}
      ORDER BY ${(hash ? order.slice(1) : order).map((name) => `${name} ${direction}`).join(', ')}`,
    values: conditions.flatMap(({ values }) => values),
  };
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
    const place = [
      ...(hash ? [] : [['entry.hash', after.entry.hash] as const]),
      ['entry.range', after.entry.range] as const,
      ...(index
        ? [
            ['entry.item_hash', after.item.hash] as const,
            ['entry.item_range', after.item.range] as const,
          ]
        : []),
    ];
    const names = place.map(([name]) => name).join(', ');
    const marks = place.map(() => '?').join(', ');
    conditions.push({
      sql: `(${names}) ${descending ? '<' : '>'} (${marks})`,
      values: place.map(([, value]) => value),
    });
  }
  return conditions;
}
