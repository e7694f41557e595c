import type { Item } from '../values/attribute-value.ts';
import { encodeKey } from '../values/encode-key.ts';
import { measureItem } from '../values/measure-item.ts';
import type { Database } from './database.ts';
import {
  type IndexDefinition,
  indexTable,
  itemsTable,
  type TableDefinition,
} from './table-definition.ts';
import type { TableStore } from './table-store.ts';

export interface EncodedKey {
  readonly hash: Buffer;
  readonly range: Buffer;
}

/** A stored item. Its text is returned unchanged, and parsed only when attributes are needed. */
export interface StoredItem {
  readonly id: number;
  readonly text: string;
  readonly bytes: number;
}

const nothing = Buffer.alloc(0);

export class ItemStore {
  readonly #database: Database;
  readonly #tables: TableStore;

  constructor(database: Database, tables: TableStore) {
    this.#database = database;
    this.#tables = tables;
  }

  find(table: TableDefinition, { hash, range }: EncodedKey): StoredItem | undefined {
    const row = this.#database
      .statement(`SELECT id, item, bytes FROM ${itemsTable(table)} WHERE hash = ? AND range = ?`)
      .get(hash, range);
    return row && { id: Number(row.id), text: String(row.item), bytes: Number(row.bytes) };
  }

  /** Stores an item and its index entries. Replaces the previous version. */
  save(
    table: TableDefinition,
    before: (StoredItem & { item: Item }) | undefined,
    item: Item,
  ): void {
    const key = encodeItemKey(table, item);
    const text = JSON.stringify(item);
    const bytes = measureItem(item);
    const expires = this.#expiryOf(table, item);
    const items = itemsTable(table);
    let id = before?.id;
    if (id === undefined) {
      const { lastInsertRowid } = this.#database
        .statement(
          `INSERT INTO ${items} (hash, range, bytes, expires, item) VALUES (?, ?, ?, ?, ?)`,
        )
        .run(key.hash, key.range, bytes, expires, text);
      id = Number(lastInsertRowid);
    } else {
      this.#database.run(
        `UPDATE ${items} SET bytes = ?, expires = ?, item = ? WHERE id = ?`,
        bytes,
        expires,
        text,
        id,
      );
    }
    for (const index of table.indexes) {
      this.#moveEntry(table, index, key, id, before?.item, item);
    }
  }

  delete(table: TableDefinition, { id, item }: StoredItem & { item: Item }): void {
    this.#database.run(`DELETE FROM ${itemsTable(table)} WHERE id = ?`, id);
    const key = encodeItemKey(table, item);
    for (const index of table.indexes) this.#moveEntry(table, index, key, id, item, undefined);
  }

  /** Returns up to `count` expired items, oldest first. */
  findExpired(table: TableDefinition, after: number, until: number, count: number): Item[] {
    return this.#database
      .statement(
        `SELECT item FROM ${itemsTable(table)} WHERE expires > ? AND expires <= ?
         ORDER BY expires LIMIT ?`,
      )
      .all(after, until, count)
      .map(({ item }) => JSON.parse(String(item)));
  }

  #expiryOf(table: TableDefinition, item: Item): number | null {
    const attribute = this.#tables.timeToLive(table);
    const value = attribute === undefined ? undefined : item[attribute];
    return value && 'N' in value ? Math.floor(Number(value.N)) : null;
  }

  #moveEntry(
    table: TableDefinition,
    index: IndexDefinition,
    { hash, range }: EncodedKey,
    id: number,
    before: Item | undefined,
    after: Item | undefined,
  ): void {
    const from = before && encodeIndexKey(index, before);
    const to = after && encodeIndexKey(index, after);
    if (from && to && from.hash.equals(to.hash) && from.range.equals(to.range)) return;
    const entries = indexTable(table, index);
    if (from) {
      this.#database.run(
        `DELETE FROM ${entries} WHERE hash = ? AND range = ? AND item_hash = ? AND item_range = ?`,
        from.hash,
        from.range,
        hash,
        range,
      );
    }
    if (to) {
      this.#database.run(
        `INSERT INTO ${entries} (hash, range, item_hash, item_range, item) VALUES (?, ?, ?, ?, ?)`,
        to.hash,
        to.range,
        hash,
        range,
        id,
      );
    }
  }
}

/** Encodes the key of an item. Requests were checked to contain it. */
export function encodeItemKey(table: TableDefinition, item: Item): EncodedKey {
  const key = encodeIndexKey(table, item);
  if (!key) throw new Error(`An item of ${table.name} lacks a key.`);
  return key;
}

/** Returns undefined if the item lacks a key attribute, which keeps it out of the index. */
export function encodeIndexKey(
  { hash, range }: Pick<TableDefinition, 'hash' | 'range'>,
  item: Item,
): EncodedKey | undefined {
  const hashValue = item[hash.name];
  const rangeValue = range && item[range.name];
  if (!hashValue || (range && !rangeValue)) return undefined;
  return {
    hash: encodeKey(hashValue),
    range: rangeValue ? encodeKey(rangeValue) : nothing,
  };
}
