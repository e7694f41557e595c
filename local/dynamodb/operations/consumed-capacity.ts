import type { CapacityMode } from '../requests/item-requests.ts';
import { encodeIndexKey } from '../store/item-store.ts';
import {
  type Change,
  type IndexDefinition,
  pickNames,
  projectedNames,
  type TableDefinition,
} from '../store/table-definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { isSameItem } from '../values/compare-values.ts';
import { measureItem } from '../values/measure-item.ts';
import type { Answer } from './answer.ts';

type IndexKind = 'LocalSecondaryIndexes' | 'GlobalSecondaryIndexes';

export interface Spent {
  readonly table: string;
  readonly index?: { readonly kind: IndexKind; readonly name: string };
  readonly units: number;
}

// DynamoDB Local adds this overhead to index entries that are written, but not when reading.
const indexOverheadBytes = 100;

/** Adds the consumed capacity of a request about one table, if it asks for it. */
export function withCapacity(
  answer: Answer,
  mode: CapacityMode,
  computeSpent: () => Spent[],
): Answer {
  const [capacity] = reportCapacity(mode, computeSpent);
  return capacity ? { ...answer, ConsumedCapacity: capacity } : answer;
}

/** Adds the consumed capacity of each table of a request, if it asks for it. */
export function withCapacities(
  answer: Answer,
  mode: CapacityMode,
  computeSpent: () => Spent[],
): Answer {
  const capacities = reportCapacity(mode, computeSpent);
  return capacities.length > 0 ? { ...answer, ConsumedCapacity: capacities } : answer;
}

/** Sums capacity per table, in the order of first use. Computes nothing unless asked. */
function reportCapacity(mode: CapacityMode, computeSpent: () => Spent[]): object[] {
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

function reportIndexes(parts: Spent[]): object {
  const report: Partial<Record<IndexKind, Record<string, { CapacityUnits: number }>>> = {};
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

/** Counts a write of an item and of each changed index entry. Transactions cost twice as much. */
export function costOfChange({ table, before, after }: Change, factor: 1 | 2): Spent[] {
  const units = Math.max(writeUnits(before), writeUnits(after), 1) * factor;
  return [
    { table: table.name, units },
    ...table.indexes
      .map((index) => ({
        table: table.name,
        index: nameIndex(index),
        units: costOfEntry(table, index, before, after) * factor,
      }))
      .filter(({ units: spent }) => spent > 0),
  ];
}

function costOfEntry(
  table: TableDefinition,
  index: IndexDefinition,
  before: Item | undefined,
  after: Item | undefined,
): number {
  const oldEntry = before && findEntry(table, index, before);
  const newEntry = after && findEntry(table, index, after);
  const oldUnits = writeUnits(oldEntry?.item, indexOverheadBytes);
  const newUnits = writeUnits(newEntry?.item, indexOverheadBytes);
  if (!oldEntry || !newEntry || oldEntry.key !== newEntry.key) return oldUnits + newUnits;
  return isSameItem(oldEntry.item, newEntry.item) ? 0 : Math.max(oldUnits, newUnits);
}

function findEntry(table: TableDefinition, index: IndexDefinition, item: Item) {
  const key = encodeIndexKey(index, item);
  if (!key) return undefined;
  return {
    key: `${key.hash.toString('hex')} ${key.range.toString('hex')}`,
    item: projectEntry(table, index, item),
  };
}

/** Returns the part of an item that an index holds. */
export function projectEntry(table: TableDefinition, index: IndexDefinition, item: Item): Item {
  const names = projectedNames(table, index);
  return names ? pickNames(item, names) : item;
}

/**
 * Counts the read of one item. `unitsOfOne`: 0.5 eventually consistent, 1 consistent, 2
 * transactional.
 */
export function costOfFetch(table: string, bytes: number | undefined, unitsOfOne: number): Spent {
  return { table, units: (bytes === undefined ? 1 : readUnits(bytes)) * unitsOfOne };
}

/**
 * Counts a page of a query or scan. The page is rounded up as a whole, but each item fetched from
 * the table for an index is rounded up separately.
 */
export function costOfPage(page: {
  readonly table: TableDefinition;
  readonly index: IndexDefinition | undefined;
  readonly bytes: number;
  readonly fetched: readonly number[];
  readonly consistent: boolean;
}): Spent[] {
  const unitsOfOne = page.consistent ? 1 : 0.5;
  const table = page.table.name;
  return [
    {
      table,
      ...(page.index && { index: nameIndex(page.index) }),
      units: readUnits(page.bytes) * unitsOfOne,
    },
    ...page.fetched.map((bytes) => costOfFetch(table, bytes, unitsOfOne)),
  ];
}

function nameIndex({ kind, name }: IndexDefinition): NonNullable<Spent['index']> {
  const kinds = { local: 'LocalSecondaryIndexes', global: 'GlobalSecondaryIndexes' } as const;
  return { kind: kinds[kind], name };
}

function writeUnits(item: Item | undefined, overheadBytes = 0): number {
  return item ? Math.ceil((measureItem(item) + overheadBytes) / 1024) : 0;
}

function readUnits(bytes: number): number {
  return Math.ceil(bytes / 4096);
}
