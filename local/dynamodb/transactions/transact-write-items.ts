import type { Operation, Store } from 'dynalite/db/index.js';
import dynalite from 'dynalite/db/index.js';
import { closeConditionGaps } from '../dynalite/condition-gaps.ts';
import type { Result } from '../dynalite/dynalite-operations.ts';
import { itemWrites, parseRequest, runAction } from '../dynalite/dynalite-operations.ts';
import type { Engine } from '../engine/engine.ts';
import { type Change, stageWrites } from '../engine/staged-writes.ts';
import type { Spent } from '../operations/consumed-capacity.ts';
import {
  costOfChange,
  costOfFetch,
  reportCapacity,
  sizeInBytes,
} from '../operations/consumed-capacity.ts';
import type { CancellationReason } from './cancelled-transaction.ts';
import { explainRefusal, refuseCancelled, refuseRepeatedItems } from './cancelled-transaction.ts';
import type { TransactWrite, TransactWriteRequest, WriteKind } from './transaction-shapes.ts';
import { transactWriteShape } from './transaction-shapes.ts';
import { digestOf, isRepeated, rememberToken } from './transaction-tokens.ts';

const plainOperation = {
  // A check is a deletion of which only the outcome counts.
  ConditionCheck: itemWrites.DeleteItem,
  Put: itemWrites.PutItem,
  Update: itemWrites.UpdateItem,
  Delete: itemWrites.DeleteItem,
};
const writeKinds: WriteKind[] = ['ConditionCheck', 'Put', 'Update', 'Delete'];
const maxBytes = 4 * 1024 * 1024;

interface Action {
  kind: WriteKind;
  data: TransactWrite;
}

interface Evaluation {
  reasons: CancellationReason[];
  writes: Change[];
  checks: Change[];
  operations: Operation[];
}

export async function transactWriteItems(engine: Engine, body: unknown): Promise<Result> {
  const { store, queue } = engine;
  const request = parseRequest<TransactWriteRequest>(store, transactWriteShape, body);
  // Taken before the expressions are parsed, for that leaves its results in the request.
  const digest = digestOf(request.TransactItems);
  const actions = request.TransactItems.map((item) => parseAction(store, item));
  const token = request.ClientRequestToken;

  return queue.run(async () => {
    const now = engine.now();
    const { reasons, writes, checks, operations } = await evaluate(store, actions);
    const touched = [...writes, ...checks];
    if (token && isRepeated(store.db, token, digest, now)) {
      // Charged, as a check is, for reading the items.
      return report(request, () => touched.map(costOfRead));
    }
    refuseRepeatedItems(touched.map(({ table, key }) => `${table.TableName}~${key}`));
    refuseCancelled(reasons);
    refuseLarge(writes);
    // One batch: LevelDB logs it as one record, so a crash leaves all of it or nothing. It is not
    // forced to the disk; a power cut may take the last transactions, but never a part of one.
    if (token) operations.push(rememberToken(token, digest, now));
    await store.db.batch(operations);
    engine.onCommit(writes, 'request');
    return report(request, () => [
      ...writes.flatMap((change) => costOfChange(change, 2)),
      ...checks.map(costOfRead),
    ]);
  });
}

function parseAction(store: Store, item: TransactWriteRequest['TransactItems'][number]): Action {
  const actions = writeKinds.flatMap((kind) => {
    const data = item[kind];
    return data ? [{ kind, data }] : [];
  });
  const [action] = actions;
  if (!action) {
    throw dynalite.validationError(
      'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
    );
  }
  if (actions.length > 1) {
    throw dynalite.validationError(
      'TransactItems can only contain one of Check, Put, Update or Delete',
    );
  }
  const problem = plainOperation[action.kind].custom?.(action.data, store);
  if (problem) throw dynalite.validationError(problem);
  closeConditionGaps(action.data);
  return action;
}

/** Runs every action against the state before the transaction, and writes nothing. */
async function evaluate(store: Store, actions: Action[]): Promise<Evaluation> {
  const writes = stageWrites(store);
  const checks = stageWrites(store);
  const reasons: CancellationReason[] = [];
  for (const { kind, data } of actions) {
    const { ReturnValuesOnConditionCheckFailure: onFailure, ...request } = data;
    const { view, changes } = kind === 'ConditionCheck' ? checks : writes;
    reasons.push(
      await runAction(plainOperation[kind], view, request).then(
        () => ({ Code: 'None' }),
        (error) =>
          explainRefusal(error, onFailure === 'ALL_OLD' ? changes.at(-1)?.oldItem : undefined),
      ),
    );
  }
  const { operations } = writes;
  return { reasons, writes: writes.changes, checks: checks.changes, operations };
}

function refuseLarge(writes: Change[]): void {
  const bytes = writes.reduce(
    (total, { newItem }) => total + (newItem ? sizeInBytes(newItem) : 0),
    0,
  );
  if (bytes <= maxBytes) return;
  throw dynalite.validationError(
    `Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`,
  );
}

function costOfRead({ table, oldItem }: Change): Spent {
  return costOfFetch(table.TableName, oldItem, 2);
}

function report(
  { ReturnConsumedCapacity: mode }: TransactWriteRequest,
  computeSpent: () => Spent[],
): Result {
  const ConsumedCapacity = reportCapacity(mode, computeSpent);
  return ConsumedCapacity.length > 0 ? { ConsumedCapacity } : {};
}
