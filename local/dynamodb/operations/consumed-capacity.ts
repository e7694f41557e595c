import type { Index, Item, Table } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import type { SnapshotReads } from '../engine/snapshot-reads.ts';
import type { Change } from '../engine/staged-writes.ts';

// dynalite counts the table only, never an index written along, and takes a text's length for its
// bytes. So the units are computed here, for every operation, from what it read or changed.

type IndexKind = 'LocalSecondaryIndexes' | 'GlobalSecondaryIndexes';

export interface Spent {
  table: string;
  index?: { kind: IndexKind; name: string };
  units: number;
}

interface Units {
  CapacityUnits: number;
}

export interface ConsumedCapacity extends Units {
  TableName: string;
  Table?: Units;
  LocalSecondaryIndexes?: Record<string, Units>;
  GlobalSecondaryIndexes?: Record<string, Units>;
}

// DynamoDB Local adds it to an entry that is written, not to one that is read.
const indexOverheadBytes = 100;

const reportedKind = { local: 'LocalSecondaryIndexes', global: 'GlobalSecondaryIndexes' } as const;

/** Of each table, in the order of their first use. Nothing is computed unless it was asked for. */
export function reportCapacity(
  mode: string | undefined,
  computeSpent: () => Spent[],
): ConsumedCapacity[] {
  if (mode !== 'TOTAL' && mode !== 'INDEXES') return [];
  const byTable = Map.groupBy(computeSpent(), ({ table }) => table);
  return [...byTable].map(([TableName, parts]) => ({
    TableName,
    CapacityUnits: sum(parts),
    ...(mode === 'INDEXES' && {
      Table: { CapacityUnits: sum(parts.filter(({ index }) => !index)) },
      ...reportIndexes(parts),
    }),
  }));
}

function reportIndexes(parts: Spent[]): Partial<Record<IndexKind, Record<string, Units>>> {
  const report: Partial<Record<IndexKind, Record<string, Units>>> = {};
  for (const { index, units } of parts) {
    if (!index) continue;
    const { kind, name } = index;
    const CapacityUnits = units + (report[kind]?.[name]?.CapacityUnits ?? 0);
    report[kind] = { ...report[kind], [name]: { CapacityUnits } };
  }
  return report;
}

function sum(parts: Spent[]): number {
  return parts.reduce((total, { units }) => total + units, 0);
}

/** One write of an item and of each index entry that it changed. Transactions cost twice. */
export function costOfChange({ table, oldItem, newItem }: Change, factor: 1 | 2): Spent[] {
  const units = Math.max(writeUnits(oldItem), writeUnits(newItem), 1) * factor;
  const spent: Spent[] = [{ table: table.TableName, units }];
  for (const kind of Object.values(reportedKind)) {
    for (const index of table[kind] ?? []) {
      const indexUnits = costOfEntry(table, index, oldItem, newItem) * factor;
      if (indexUnits === 0) continue;
      spent.push({
        table: table.TableName,
        index: { kind, name: index.IndexName },
        units: indexUnits,
      });
    }
  }
  return spent;
}

function costOfEntry(
  table: Table,
  index: Index,
  oldItem: Item | undefined,
  newItem: Item | undefined,
): number {
  const oldEntry = findEntry(table, index, oldItem);
  const newEntry = findEntry(table, index, newItem);
  const oldUnits = writeUnits(oldEntry?.item, indexOverheadBytes);
  const newUnits = writeUnits(newEntry?.item, indexOverheadBytes);
  if (oldEntry?.key !== newEntry?.key) return oldUnits + newUnits;
  return isSame(oldEntry?.item, newEntry?.item) ? 0 : Math.max(oldUnits, newUnits);
}

function findEntry(
  table: Table,
  index: Index,
  item: Item | undefined,
): { key: string; item: Item } | undefined {
  if (!item) return undefined;
  const entry = dynalite.getIndexActions([index], null, item, table).puts[0];
  if (!entry) return undefined;
  // A projected attribute that the item lacks stands there as undefined.
  const present: Item = {};
  for (const [name, value] of Object.entries(entry.item)) if (value) present[name] = value;
  return { key: entry.key, item: present };
}

function isSame(one: Item | undefined, other: Item | undefined): boolean {
  return canonical(one) === canonical(other);
}

function canonical(item: Item | undefined): string {
  return JSON.stringify(Object.entries(item ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** An item read by its key. `unitsOfOne`: 0.5 eventually consistent, 1 consistent, 2 transactional. */
export function costOfFetch(table: string, item: Item | undefined, unitsOfOne: number): Spent {
  const units = item ? readUnits(sizeInBytes(item)) : 1;
  return { table, units: units * unitsOfOne };
}

/** A page of a query or scan, rounded up as a whole, and the items fetched behind an index. */
export function costOfPage(
  reads: SnapshotReads,
  page: { table: string; consistent: boolean; scanned: number },
): Spent[] {
  const unitsOfOne = page.consistent ? 1 : 0.5;
  const { items, index } = reads.streamed;
  const bytes = items.slice(0, page.scanned).reduce((total, item) => total + sizeInBytes(item), 0);
  return [
    {
      table: page.table,
      ...(index && { index: { kind: reportedKind[index.kind], name: index.name } }),
      units: readUnits(bytes) * unitsOfOne,
    },
    ...reads.fetched
      .slice(0, page.scanned)
      .map(({ table, item }) => costOfFetch(table, item, unitsOfOne)),
  ];
}

export function sizeInBytes(item: Item): number {
  const json = JSON.stringify(item);
  return dynalite.itemSize(item) + Buffer.byteLength(json) - json.length;
}

function writeUnits(item: Item | undefined, overheadBytes = 0): number {
  return item ? Math.ceil((sizeInBytes(item) + overheadBytes) / 1024) : 0;
}

function readUnits(bytes: number): number {
  return Math.ceil(bytes / 4096);
}
