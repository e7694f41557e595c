import type { Item, Operation, ServiceError, Store, Table, WriteStore } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import { findTable } from './find-table.ts';
import { indexEntryKey, indexPrefix, itemPrefix } from './key-layout.ts';

export interface Change {
  table: Table;
  key: string;
  oldItem: Item | undefined;
  newItem: Item | undefined;
}

export interface StagedWrites {
  /** Hand this to dynalite's actions in place of the store. */
  view: WriteStore;
  /** One for each item that an action looked at, in order, also where its condition failed. */
  changes: Change[];
  /** What is to be written, for one batch. */
  operations: Operation[];
}

/**
 * A store that reads the real one and keeps the writes back. dynalite writes an item's index
 * entries and the item one after another; collected here, they become one LevelDB batch, which a
 * crash leaves whole or not at all, and which no snapshot shows by half.
 *
 * Reads are synchronous and see the state before: the caller holds the write queue, and never
 * commits two changes of one item together.
 */
export function stageWrites(store: Store): StagedWrites {
  const changes: Change[] = [];
  const operations: Operation[] = [];
  const tables = new Map<string, Table>();

  // From reading an item to writing it an action never waits: the last change is the current one.
  const currentChange = (): Change => {
    const change = changes.at(-1);
    if (!change) throw new Error('dynalite wrote an index entry before it read the item');
    return change;
  };

  const view: WriteStore = {
    options: store.options,
    getTable: (name, callback) => findTable(store, tables, name, callback),
    getItemDb: (tableName) => ({
      lock: (_key, task) => task((callback) => callback),
      get(key, callback) {
        const table = tables.get(tableName);
        if (!table) return callback(new Error(`dynalite read ${tableName} before its table`));
        const oldItem = store.db.getSync<Item>(itemPrefix(tableName) + key);
        changes.push({ table, key, oldItem, newItem: oldItem });
        callback(null, oldItem);
      },
      put(key, item, callback) {
        const change = currentChange();
        const refusal = refuseEmptyIndexKey(change.table, item);
        if (refusal) return callback(refusal);
        change.newItem = item;
        operations.push({ type: 'put', key: itemPrefix(tableName) + key, value: item });
        callback(null);
      },
      del(key, callback) {
        currentChange().newItem = undefined;
        operations.push({ type: 'del', key: itemPrefix(tableName) + key });
        callback(null);
      },
    }),
    getIndexDb: (kind, tableName, indexName) => {
      const entryKey = (key: string) =>
        indexPrefix(kind, tableName, indexName) + indexEntryKey(key, currentChange().key);
      return {
        put(key, item, callback) {
          operations.push({ type: 'put', key: entryKey(key), value: item });
          callback(null);
        },
        del(key, callback) {
          operations.push({ type: 'del', key: entryKey(key) });
          callback(null);
        },
      };
    },
  };
  return { view, changes, operations };
}

// dynalite lets it pass, the service does not: an empty text as the key of a sparse index is the
// usual way to find that out late.
function refuseEmptyIndexKey(table: Table, item: Item): ServiceError | undefined {
  return dynalite.traverseIndexes(table, (attribute, type, index) =>
    item[attribute]?.[type] === ''
      ? dynalite.validationError(
          'One or more parameter values are not valid. A value specified for a secondary index ' +
            'key is not supported. The AttributeValue for a key attribute cannot contain an empty ' +
            `string value. IndexName: ${index.IndexName}, IndexKey: ${attribute}`,
        )
      : undefined,
  );
}
