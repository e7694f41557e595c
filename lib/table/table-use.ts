import type { PartitionKind } from './keys.ts';

/** What a function does with the table, declared: its role may do exactly that. */
export interface TableUse {
  readonly actions: readonly TableAction[];
  readonly partitions: readonly PartitionKind[];
  /** Where it reads items by their keys, one or several at once, and can do nothing else. */
  readonly looksUp?: readonly PartitionKind[];
  /** Where it puts new items and can do nothing else: what is written there stays as it is. */
  readonly appendsTo?: readonly PartitionKind[];
  /** Where it queries, and does nothing else but what it may append there. */
  readonly queries?: readonly PartitionKind[];
}

/** A transaction needs the actions that it is made of. */
export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** Actions on partitions, each action on each of them. */
export type Grant = Pick<TableUse, 'actions' | 'partitions'>;

/**
 * What a use comes to. Each action stands in one grant alone, with every kind of partition that it
 * may meet: one transaction may put into several kinds at once.
 */
export function listGrants({
  actions,
  partitions,
  looksUp = [],
  appendsTo = [],
  queries = [],
}: TableUse): Grant[] {
  const elsewhere = new Map<TableAction, readonly PartitionKind[]>([
    ['GetItem', looksUp],
    ['BatchGetItem', actions.includes('BatchGetItem') ? looksUp : []],
    ['PutItem', appendsTo],
    ['Query', queries],
  ]);
  const special = [...elsewhere].filter(([, kinds]) => kinds.length > 0);
  const others = actions.filter((action) => !special.some(([name]) => name === action));
  return [
    ...(others.length > 0 || special.length === 0 ? [{ actions: others, partitions }] : []),
    ...special.map(([action, kinds]) => ({
      actions: [action],
      partitions: actions.includes(action) ? [...partitions, ...kinds] : kinds,
    })),
  ];
}
