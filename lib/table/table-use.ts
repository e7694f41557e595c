import { type DataStep, listOwnSteps } from './data-steps.ts';
import type { PartitionKind } from './keys.ts';

/** Declares what a function does with the table. Its role allows exactly that. */
export interface TableUse {
  readonly actions: readonly TableAction[];
  readonly partitions: readonly PartitionKind[];
  /** Partitions where it may only read items by their keys, one or several at once. */
  readonly looksUp?: readonly PartitionKind[];
  /** Partitions where it may put items, but not update or delete them. */
  readonly appendsTo?: readonly PartitionKind[];
  /** Partitions where it may only query, apart from what it may append there. */
  readonly queries?: readonly PartitionKind[];
}

/** A transaction needs the permissions of the actions in it. */
export type TableAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PutItem'
  | 'Query'
  | 'Scan'
  | 'UpdateItem';

/** Allows each of the actions on each of the partitions. */
export type Grant = Pick<TableUse, 'actions' | 'partitions'>;

/**
 * Lists the grants that a use needs. Each action is in exactly one grant, with every kind of
 * partition that it may touch, because one transaction may put into several kinds at once.
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

/**
 * Lets a function rewrite items, only in a release with a step that does. A scan reads everything,
 * whatever the condition of its statement says.
 */
export function letRewrite(use: TableUse, steps: readonly DataStep[]): TableUse {
  const partitions = listOwnSteps(steps).flatMap(({ rewrites }) => rewrites?.in ?? []);
  if (partitions.length === 0) return use;
  return {
    ...use,
    actions: [...new Set<TableAction>([...use.actions, 'Scan', 'UpdateItem'])],
    partitions: [...new Set([...use.partitions, ...partitions])],
  };
}
