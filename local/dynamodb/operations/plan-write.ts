import type * as v from 'valibot';
import { listPaths } from '../expressions/apply-update.ts';
import { checkCondition, checkUpdate } from '../expressions/check-operands.ts';
import { readScope, type Scope } from '../expressions/scope.ts';
import { type Parsed, parseConditionText, parseUpdateText } from '../parsing/parse-expression.ts';
import type { Condition, Update } from '../parsing/syntax.ts';
import type * as requests from '../requests/item-requests.ts';
import type { Engine } from '../store/engine.ts';
import { keyNames, type TableDefinition } from '../store/table-definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { invalid, invalidParameter } from '../values/errors.ts';
import { measureItem } from '../values/measure-item.ts';
import { readItem } from '../values/read-item.ts';
import { checkItemKeys, readKey } from './check-key.ts';

/** A request to change an item. */
export interface Write {
  readonly table: TableDefinition;
  /** Contains the key attributes and, for a put, all others. */
  readonly key: Item;
  readonly condition: Parsed<Condition> | undefined;
  readonly scope: Scope;
  readonly showsOld: boolean;
  readonly action:
    | { readonly kind: 'put'; readonly item: Item }
    | { readonly kind: 'update'; readonly update: Parsed<Update> | undefined }
    | { readonly kind: 'delete' }
    | { readonly kind: 'check' };
}

export const maxItemBytes = 400 * 1024;

type PutRequest = v.InferOutput<typeof requests.Put>;
type UpdateRequest = v.InferOutput<typeof requests.Update>;
type DeleteRequest = v.InferOutput<typeof requests.Delete>;

export function planPut({ tables }: Engine, request: PutRequest): Write {
  const item = readItem(request.Item);
  const conditions = readConditions(request);
  const table = tables.require(request.TableName);
  checkItemKeys(table, item);
  if (measureItem(item) > maxItemBytes) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  return { table, key: item, ...conditions, action: { kind: 'put', item } };
}

export function planDelete(
  { tables }: Engine,
  request: DeleteRequest,
  kind: 'delete' | 'check' = 'delete',
): Write {
  const conditions = readConditions(request);
  const table = tables.require(request.TableName);
  return { table, key: readKey(table, request.Key), ...conditions, action: { kind } };
}

export function planUpdate({ tables }: Engine, request: UpdateRequest): Write {
  const update = parseUpdateText('UpdateExpression', request.UpdateExpression);
  const conditions = readConditions(request, update);
  const table = tables.require(request.TableName);
  if (update) {
    checkUpdate(update, conditions.scope);
    refuseKeys(table, update, conditions.scope);
  }
  const key = readKey(table, request.Key);
  return { table, key, ...conditions, action: { kind: 'update', update } };
}

function readConditions(
  request: Omit<PutRequest, 'Item'>,
  update?: Parsed<Update>,
): Pick<Write, 'condition' | 'scope' | 'showsOld'> {
  const condition = parseConditionText('ConditionExpression', request.ConditionExpression);
  const scope = readScope(request, [update, condition]);
  if (condition) checkCondition(condition, scope);
  return {
    condition,
    scope,
    showsOld: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
}

function refuseKeys(table: TableDefinition, { tree }: Parsed<Update>, scope: Scope): void {
  const keys = keyNames(table);
  const changed = listPaths(tree, scope).map(([name]) => String(name));
  const key = changed.find((name) => keys.includes(name));
  if (key === undefined) return;
  throw invalidParameter(`Cannot update attribute ${key}. This attribute is part of the key`);
}
