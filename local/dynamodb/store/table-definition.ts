import type { AttributeValue, Item } from '../values/attribute-value.ts';

/** A table as CreateTable described it, converted to the engine's terms. */
export interface TableDefinition {
  readonly id: number;
  readonly name: string;
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute | undefined;
  readonly indexes: readonly IndexDefinition[];
  readonly createdAt: number;
  readonly billingMode: string;
}

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

export interface IndexDefinition {
  readonly number: number;
  readonly name: string;
  readonly kind: 'local' | 'global';
  readonly hash: KeyAttribute;
  readonly range: KeyAttribute | undefined;
  readonly projection: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  /** The projected attributes besides the keys, for INCLUDE. */
  readonly included: readonly string[];
}

type Keyed = Pick<TableDefinition, 'hash' | 'range'>;

export function keysOf({ hash, range }: Keyed): KeyAttribute[] {
  return range ? [hash, range] : [hash];
}

export function keyNames(keyed: Keyed): string[] {
  return keysOf(keyed).map(({ name }) => name);
}

/** Returns the attributes with these names that the item has. */
export function pickNames(item: Item, names: readonly string[]): Item {
  const picked: Record<string, AttributeValue> = {};
  for (const name of names) {
    const value = item[name];
    if (value) picked[name] = value;
  }
  return picked;
}

/** Lists the attributes that an index holds. Returns undefined if it holds all. */
export function projectedNames(
  table: TableDefinition,
  index: IndexDefinition,
): string[] | undefined {
  if (index.projection === 'ALL') return undefined;
  return [...new Set([...keyNames(table), ...keyNames(index), ...index.included])];
}

export const itemsTable = ({ id }: TableDefinition): string => `items_${id}`;
export const indexTable = ({ id }: TableDefinition, { number }: IndexDefinition): string =>
  `index_${id}_${number}`;

/** An item before and after a write. Both are equal for a condition check. */
export interface Change {
  readonly table: TableDefinition;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** The cause of a change: a request, or an expired time to live. */
export type ChangedBy = 'request' | 'expiry';
