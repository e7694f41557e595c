import { createHash } from 'node:crypto';
import {
  TransactGetItems,
  type TransactItem,
  TransactWriteItems,
} from '../requests/item-requests.ts';
import { parseRequest } from '../requests/parse-request.ts';
import type { Engine } from '../store/engine.ts';
import { isRepeated, rememberToken } from '../store/token-store.ts';
import type { Item } from '../values/attribute-value.ts';
import { invalid, ServiceError } from '../values/errors.ts';
import { measureItem } from '../values/measure-item.ts';
import type { Answer } from './answer.ts';
import { readKey } from './check-key.ts';
import { costOfChange, costOfFetch, withCapacities } from './consumed-capacity.ts';
import {
  ConditionFailedError,
  evaluateWrite,
  makeChanges,
  type PlannedChange,
} from './evaluate-write.ts';
import { planDelete, planPut, planUpdate, type Write } from './plan-write.ts';
import { fetchItem, readProjection, showItem } from './read-items.ts';
import { refuseRepeatedKeys } from './write-items.ts';

const maxBytes = 4 * 1024 * 1024;

export function transactWriteItems(engine: Engine, body: unknown): Answer {
  const request = parseRequest(TransactWriteItems, body);
  const writes = request.TransactItems.map((item) => planAction(engine, item));
  refuseRepeatedKeys(writes, 'Transaction request cannot include multiple operations on one item');
  const { ClientRequestToken: token, ReturnConsumedCapacity: mode } = request;
  const digest = token == null ? '' : digestOf(request.TransactItems);
  const { database } = engine;

  const done = database.transact(() => {
    const now = engine.now();
    if (token != null && isRepeated(database, token, digest, now)) return undefined;
    const changes = doEachOrCancel(writes, (write) => evaluateWrite(engine, write));
    refuseLarge(changes);
    makeChanges(engine, changes);
    if (token != null) rememberToken(database, token, digest, now);
    return changes;
  });
  if (done) engine.stream?.announce();
  return withCapacities({}, mode, () =>
    done
      ? done.flatMap((change, place) => costOf(writes[place], change))
      : // A repetition is charged, as a check is, for reading the items.
        writes.map((write) =>
          costOfRead(
            evaluateWrite(engine, { ...write, condition: undefined, action: { kind: 'check' } }),
          ),
        ),
  );
}

function planAction(engine: Engine, item: TransactItem): Write {
  const { ConditionCheck, Put, Update, Delete } = item;
  const given = [ConditionCheck, Put, Update, Delete].filter((action) => action != null);
  if (given.length > 1) {
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  }
  if (ConditionCheck) return planDelete(engine, ConditionCheck, 'check');
  if (Put) return planPut(engine, Put);
  if (Update) return planUpdate(engine, Update);
  if (Delete) return planDelete(engine, Delete);
  throw invalid(
    'Invalid Request: TransactWriteRequest should contain Delete or Put or Update request',
  );
}

function refuseLarge(changes: readonly PlannedChange[]): void {
  const bytes = changes.reduce(
    (total, { before, after }) => total + (after && after !== before ? measureItem(after) : 0),
    0,
  );
  if (bytes <= maxBytes) return;
  throw invalid(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`);
}

function costOf(write: Write | undefined, change: PlannedChange) {
  return write?.action.kind === 'check' ? [costOfRead(change)] : costOfChange(change, 2);
}

function costOfRead({ table, stored }: PlannedChange) {
  return costOfFetch(table.name, stored?.bytes, 2);
}

/** Sorts the members of objects first, because their order carries no meaning. */
function digestOf(parameters: unknown): string {
  const text = JSON.stringify(parameters, (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('base64');
}

interface CancellationReason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: Item;
}

/** Runs every action. If any is refused, cancels the transaction and lists a reason for each. */
function doEachOrCancel<Action, Result>(
  actions: readonly Action[],
  act: (action: Action) => Result,
): Result[] {
  const results: Result[] = [];
  const reasons = actions.map((action): CancellationReason => {
    try {
      results.push(act(action));
      return { Code: 'None' };
    } catch (error) {
      return explainRefusal(error);
    }
  });
  if (results.length < actions.length) throw cancelled(reasons);
  return results;
}

/** Rethrows any error that is not the refusal of an action. */
function explainRefusal(error: unknown): CancellationReason {
  if (error instanceof ConditionFailedError) {
    const { message: Message, shownItem } = error;
    return { Code: 'ConditionalCheckFailed', Message, ...(shownItem && { Item: shownItem }) };
  }
  if (error instanceof ServiceError && error.type === 'ValidationException') {
    return { Code: 'ValidationError', Message: error.message };
  }
  throw error;
}

function cancelled(reasons: readonly CancellationReason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

export function transactGetItems(engine: Engine, body: unknown): Answer {
  const request = parseRequest(TransactGetItems, body);
  const gets = request.TransactItems.map(({ Get }) => ({
    table: engine.tables.require(Get.TableName),
    paths: readProjection(Get),
    key: Get.Key,
  }));
  const fetches = doEachOrCancel(gets, ({ key, ...get }) => ({
    ...get,
    key: readKey(get.table, key),
  }));
  refuseRepeatedKeys(fetches, 'Transaction request cannot include multiple operations on one item');
  const found = fetches.map((fetch) => ({ ...fetch, item: fetchItem(engine, fetch) }));
  return withCapacities(
    { Responses: found.map(({ item, paths }) => (item ? { Item: showItem(item, paths) } : {})) },
    request.ReturnConsumedCapacity,
    () => found.map(({ table, item }) => costOfFetch(table.name, item?.bytes, 2)),
  );
}
