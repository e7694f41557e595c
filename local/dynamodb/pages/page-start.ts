import { encodeIndexKey, encodeItemKey } from '../store/item-store.ts';
import type { Range } from '../store/read-range.ts';
import {
  type IndexDefinition,
  keyNames,
  pickNames,
  type TableDefinition,
} from '../store/table-definition.ts';
import { type Item, typeOf } from '../values/attribute-value.ts';
import { invalid } from '../values/errors.ts';
import { readItem } from '../values/read-item.ts';
import type { KeyRange } from './key-range.ts';

/** Reads the start key of a page, which is the last key of the previous page. */
export function readStartKey(
  table: TableDefinition,
  index: IndexDefinition | undefined,
  raw: unknown,
  keys: KeyRange | undefined,
): Range['after'] {
  if (raw === undefined || raw === null) return undefined;
  const start = readItem(raw);
  const attributes = [table.hash, table.range, index?.hash, index?.range].filter(
    (attribute) => attribute !== undefined,
  );
  const names = new Set(attributes.map(({ name }) => name));
  const fits =
    Object.keys(start).length === names.size &&
    attributes.every(({ name, type }) => {
      const value = start[name];
      return value !== undefined && typeOf(value) === type;
    });
  if (!fits) throw invalid('The provided starting key is invalid');
  const item = encodeItemKey(table, start);
  const entry = index ? encodeIndexKey(index, start) : item;
  if (!entry || (keys && !entry.hash.equals(keys.hash))) {
    throw invalid(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
  return { entry, item };
}

/** Picks the key attributes of the table and the index, which identify a position. */
export function lastKeyOf(
  table: TableDefinition,
  index: IndexDefinition | undefined,
  item: Item,
): Item {
  return pickNames(item, [...keyNames(table), ...(index ? keyNames(index) : [])]);
}
