import type { Item, ServiceError } from 'dynalite/db/index.js';
import type { Result } from '../dynalite/dynalite-operations.ts';
import { itemReads, itemWrites, parseRequest, runAction } from '../dynalite/dynalite-operations.ts';
import { errorType, isServiceError } from '../dynalite/service-error.ts';
import type { Engine } from '../engine/engine.ts';
import { readSnapshot } from '../engine/snapshot-reads.ts';
import { type StagedWrites, stageWrites } from '../engine/staged-writes.ts';
import type { ChangedBy } from '../engine/stream-records.ts';
import { costOfChange, costOfFetch, costOfPage, reportCapacity } from './consumed-capacity.ts';

interface Request {
  TableName: string;
  RequestItems?: Record<string, { ConsistentRead?: boolean }>;
  ConsistentRead?: boolean;
  ExclusiveStartKey?: Item;
  ReturnConsumedCapacity?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

export async function writeItems(
  { store, queue, onCommit }: Engine,
  name: keyof typeof itemWrites,
  body: unknown,
  by: ChangedBy = 'request',
): Promise<Result> {
  const parsed = parseRequest<Request>(store, itemWrites[name], body);
  const { ReturnConsumedCapacity: mode, ...request } = parsed;
  return queue.run(async () => {
    const staged = stageWrites(store);
    const result = await runAction(itemWrites[name], staged.view, request).catch((error) => {
      throw isServiceError(error) ? showOldItem(error, request, staged) : error;
    });
    await store.db.batch(staged.operations);
    onCommit(staged.changes, by);
    const capacity = reportCapacity(mode, () =>
      staged.changes.flatMap((change) => costOfChange(change, 1)),
    );
    return withCapacity(result, capacity, name === 'BatchWriteItem');
  });
}

function showOldItem(error: ServiceError, request: Request, { changes }: StagedWrites): Error {
  const oldItem = changes.at(-1)?.oldItem;
  const asked = request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD';
  if (errorType(error) === 'ConditionalCheckFailedException' && asked && oldItem) {
    error.body.Item = oldItem;
  }
  return error;
}

export async function readItems(
  { store }: Engine,
  name: keyof typeof itemReads,
  body: unknown,
): Promise<Result> {
  const parsed = parseRequest<Request>(store, itemReads[name], body);
  const { ReturnConsumedCapacity: mode, ...request } = parsed;
  const reads = readSnapshot(store, request.ExclusiveStartKey);
  try {
    const result = await runAction(itemReads[name], reads.view, request);
    const capacity = reportCapacity(mode, () =>
      name === 'Query' || name === 'Scan'
        ? costOfPage(reads, {
            table: request.TableName,
            consistent: request.ConsistentRead ?? false,
            scanned: Number(result.ScannedCount),
          })
        : reads.fetched.map(({ table, item }) =>
            costOfFetch(table, item, isConsistent(request, table) ? 1 : 0.5),
          ),
    );
    return withCapacity(result, capacity, name === 'BatchGetItem');
  } finally {
    await reads.close();
  }
}

function isConsistent({ RequestItems, ConsistentRead }: Request, table: string): boolean {
  return RequestItems?.[table]?.ConsistentRead ?? ConsistentRead ?? false;
}

function withCapacity(result: Result, capacity: object[], asList: boolean): Result {
  if (capacity.length === 0) return result;
  return { ...result, ConsumedCapacity: asList ? capacity : capacity[0] };
}
