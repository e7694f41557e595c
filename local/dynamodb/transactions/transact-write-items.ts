import { createHash } from 'node:crypto';
import { type Answer, withCapacities } from '../operations/answer.ts';
import { costOfChange, costOfFetch, reportCapacity } from '../operations/consumed-capacity.ts';
import { evaluateWrite, makeChanges, type PlannedChange } from '../operations/evaluate-write.ts';
import { planDelete, planPut, planUpdate, type Write } from '../operations/plan-write.ts';
import { refuseRepeatedKeys } from '../operations/write-items.ts';
import { invalid } from '../refusals/service-error.ts';
import { parseRequest } from '../requests/parse-request.ts';
import { type TransactItem, TransactWriteItems } from '../requests/transaction-requests.ts';
import type { Engine } from '../store/engine.ts';
import { isRepeated, rememberToken } from '../store/token-store.ts';
import { measureItem } from '../values/measure-item.ts';
import { doEachOrCancel } from './do-each-or-cancel.ts';

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
  return withCapacities(
    {},
    reportCapacity(mode, () =>
      done
        ? done.flatMap((change, place) => costOf(writes[place], change))
        : // A repetition is charged, as a check is, for reading the items.
          writes.map((write) => costOfRead(evaluateWrite(engine, unconditional(write)))),
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

function unconditional(write: Write): Write {
  return { ...write, condition: undefined, action: { kind: 'check' } };
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

/** The order of an object's members says nothing, and so does not count. */
export function digestOf(parameters: unknown): string {
  const text = JSON.stringify(parameters, (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(text).digest('base64');
}
