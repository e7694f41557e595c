import type { Item } from '../values/attribute-value.ts';
import type { TableDefinition } from './table-definition.ts';

/** One item before and after a write. Both are the same where it only looked. */
export interface Change {
  readonly table: TableDefinition;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/** Who deleted an item, where it was not a request. */
export type ChangedBy = 'request' | 'expiry';
