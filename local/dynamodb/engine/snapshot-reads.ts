import { Readable } from 'node:stream';
import type { Item, Iterator, Range, ReadStore, Store, Table } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import { findTable } from './find-table.ts';
import { endOf, indexEntryKey, indexPrefix, itemPrefix } from './key-layout.ts';

export interface SnapshotReads {
  /** Hand this to dynalite's actions in place of the store. */
  view: ReadStore;
  /** Every item asked for by its key, in order. */
  fetched: { table: string; key: string; item: Item | undefined }[];
  /** Every entry that a query or scan went through, read-ahead included, and of which index. */
  streamed: { items: Item[]; index?: { kind: 'local' | 'global'; name: string } };
  close(): Promise<void>;
}

// Items may have 400 KB: read ahead, but not by much.
const readAhead = 100;

/**
 * A store that stands still: all that one request reads, by key, by query, or by a query that
 * fetches the items behind an index, is of one moment, so that it shows a transaction wholly or
 * not at all, without waiting for any writer.
 */
export function readSnapshot(store: Store, exclusiveStartKey?: Item): SnapshotReads {
  const snapshot = store.db.snapshot();
  const fetched: SnapshotReads['fetched'] = [];
  const streamed: SnapshotReads['streamed'] = { items: [] };
  const tables = new Map<string, Table>();

  const streamValues = (prefix: string, range: Range): Readable => {
    const iterator = store.db.values<Item>({ ...prefixRange(prefix, range), snapshot });
    return streamIterator(iterator, streamed.items);
  };

  const view: ReadStore = {
    options: store.options,
    getTable: (name, callback) => findTable(store, tables, name, callback),
    getItemDb: (table) => ({
      get(key, callback) {
        const item = store.db.getSync<Item>(itemPrefix(table) + key, { snapshot });
        fetched.push({ table, key, item });
        callback(null, item);
      },
      createValueStream: (range) => streamValues(itemPrefix(table), range),
    }),
    getIndexDb: (kind, tableName, index) => ({
      createValueStream(range) {
        streamed.index = { kind, name: index };
        const table = tables.get(tableName);
        const startKey = exclusiveStartKey && table && dynalite.createKey(exclusiveStartKey, table);
        const wholeRange = startKey ? startBehindEntry(range, startKey) : range;
        return streamValues(indexPrefix(kind, tableName, index), wholeRange);
      },
    }),
  };
  return { view, fetched, streamed, close: () => snapshot.close() };
}

/** The bound that stands for the start key is the one that ends in neither `/` nor `~`. */
function startBehindEntry(range: Range, itemKey: string): Range {
  const isStartKey = (bound: string) => !/[/~]$/.test(bound);
  const { gt, lt } = range;
  return {
    ...range,
    ...(gt && isStartKey(gt) && { gt: indexEntryKey(gt, itemKey) }),
    ...(lt && isStartKey(lt) && { lt: indexEntryKey(lt, itemKey) }),
  };
}

function prefixRange(prefix: string, { gt, gte, lt, lte, ...rest }: Range): Range {
  const lower = gt === undefined ? { gte: prefix + (gte ?? '') } : { gt: prefix + gt };
  const upper =
    lte !== undefined
      ? { lte: prefix + lte }
      : { lt: lt === undefined ? endOf(prefix) : prefix + lt };
  return { ...rest, ...lower, ...upper };
}

// In place of dynalite's own streams, which cannot be told to read from a snapshot.
function streamIterator(iterator: Iterator<Item>, seen: Item[]): Readable {
  return new Readable({
    objectMode: true,
    read() {
      iterator.nextv(readAhead).then(
        (values) => {
          seen.push(...values);
          for (const value of values) this.push(value);
          if (values.length === 0) this.push(null);
        },
        (error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      iterator.close().then(() => callback(error), callback);
    },
  });
}
