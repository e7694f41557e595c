import type { Result } from './dynalite/dynalite-operations.ts';
import {
  itemReads,
  itemWrites,
  tableChanges,
  tableMetadata,
} from './dynalite/dynalite-operations.ts';
import type { Engine } from './engine/engine.ts';
import { readItems, writeItems } from './operations/item-operations.ts';
import { changeTable, handleMetadata } from './operations/table-operations.ts';
import { describeTimeToLive, updateTimeToLive } from './operations/time-to-live.ts';
import { transactGetItems } from './transactions/transact-get-items.ts';
import { transactWriteItems } from './transactions/transact-write-items.ts';

type Operation = (engine: Engine, body: unknown) => Promise<Result>;

/** Every operation by the name that stands in `X-Amz-Target`. */
export const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...bindEach(itemReads, readItems),
  ...bindEach(itemWrites, writeItems),
  ...bindEach(tableChanges, changeTable),
  ...bindEach(tableMetadata, handleMetadata),
  ['TransactWriteItems', transactWriteItems],
  ['TransactGetItems', transactGetItems],
  ['UpdateTimeToLive', updateTimeToLive],
  ['DescribeTimeToLive', describeTimeToLive],
]);

function bindEach<Name extends string>(
  named: Record<Name, unknown>,
  run: (engine: Engine, name: Name, body: unknown) => Promise<Result>,
): [string, Operation][] {
  const names: Name[] = [];
  for (const name in named) names.push(name);
  return names.map((name) => [name, (engine, body) => run(engine, name, body)]);
}
