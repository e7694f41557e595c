import type { PartitionKind } from './keys.ts';

/** What a function does with the table, declared: its role may do exactly that. */
export interface TableUse {
  readonly actions: readonly TableAction[];
  readonly partitions: readonly PartitionKind[];
}

/** A transaction needs the actions that it is made of. */
export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';
