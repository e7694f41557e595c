import type * as v from 'valibot';
import { listPaths } from '../expressions/apply-update.ts';
import { projectItem } from '../expressions/project-item.ts';
import * as requests from '../requests/item-requests.ts';
import { parseRequest } from '../requests/parse-request.ts';
import type { Engine } from '../store/engine.ts';
import { encodeItemKey } from '../store/item-store.ts';
import type { ChangedBy } from '../store/table-definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { invalid } from '../values/errors.ts';
import type { Answer } from './answer.ts';
import { costOfChange, withCapacities, withCapacity } from './consumed-capacity.ts';
import { evaluateWrite, makeChanges, type PlannedChange } from './evaluate-write.ts';
import { planDelete, planPut, planUpdate, type Write } from './plan-write.ts';

export function putItem(engine: Engine, body: unknown): Answer {
  const request = parseRequest(requests.PutItem, body);
  return writeOne(engine, planPut(engine, request), request);
}

export function deleteItem(engine: Engine, body: unknown, by: ChangedBy = 'request'): Answer {
  const request = parseRequest(requests.DeleteItem, body);
  return writeOne(engine, planDelete(engine, request), request, by);
}

export function updateItem(engine: Engine, body: unknown): Answer {
  const request = parseRequest(requests.UpdateItem, body);
  return writeOne(engine, planUpdate(engine, request), request);
}

type Wanted = Pick<
  v.InferOutput<typeof requests.UpdateItem>,
  'ReturnValues' | 'ReturnConsumedCapacity'
>;

function writeOne(
  engine: Engine,
  write: Write,
  { ReturnValues, ReturnConsumedCapacity }: Wanted,
  by: ChangedBy = 'request',
): Answer {
  const change = engine.database.transact(() => {
    const planned = evaluateWrite(engine, write);
    makeChanges(engine, [planned], by);
    return planned;
  });
  engine.stream?.announce();
  const Attributes = showChanged(ReturnValues, write, change);
  return withCapacity(Attributes ? { Attributes } : {}, ReturnConsumedCapacity, () =>
    costOfChange(change, 1),
  );
}

function showChanged(
  mode: Wanted['ReturnValues'],
  { action, scope }: Write,
  { before, after }: PlannedChange,
): Item | undefined {
  if (mode === 'ALL_OLD') return before;
  if (mode === 'ALL_NEW') return after;
  const item = mode === 'UPDATED_OLD' ? before : mode === 'UPDATED_NEW' ? after : undefined;
  if (!item || action.kind !== 'update' || !action.update) return undefined;
  const shown = projectItem(item, listPaths(action.update.tree, scope));
  return Object.keys(shown).length > 0 ? shown : undefined;
}

const maxWrites = 25;

/** Writes a batch in one commit. In DynamoDB, each write of a batch may fail separately. */
export function batchWriteItem(engine: Engine, body: unknown): Answer {
  const request = parseRequest(requests.BatchWriteItem, body);
  const writes = Object.entries(request.RequestItems).flatMap(([TableName, actions]) =>
    actions.map(({ PutRequest, DeleteRequest }) => {
      if (PutRequest && !DeleteRequest) return planPut(engine, { TableName, ...PutRequest });
      if (DeleteRequest && !PutRequest) return planDelete(engine, { TableName, ...DeleteRequest });
      throw invalid(
        'Supplied AttributeValue has more than one datatypes set, ' +
          'must contain exactly one of the supported datatypes',
      );
    }),
  );
  if (writes.length === 0) throw invalid('The batch write request list cannot be empty');
  if (writes.length > maxWrites) {
    throw invalid('Too many items requested for the BatchWriteItem call');
  }
  refuseRepeatedKeys(writes, 'Provided list of item keys contains duplicates');
  const changes = engine.database.transact(() => {
    const planned = writes.map((write) => evaluateWrite(engine, write));
    makeChanges(engine, planned);
    return planned;
  });
  engine.stream?.announce();
  return withCapacities({ UnprocessedItems: {} }, request.ReturnConsumedCapacity, () =>
    changes.flatMap((change) => costOfChange(change, 1)),
  );
}

export function refuseRepeatedKeys(
  touched: readonly Pick<Write, 'table' | 'key'>[],
  reason: string,
): void {
  const keys = touched.map(({ table, key }) => {
    const { hash, range } = encodeItemKey(table, key);
    return `${table.id} ${hash.toString('base64')} ${range.toString('base64')}`;
  });
  if (new Set(keys).size < keys.length) throw invalid(reason);
}
