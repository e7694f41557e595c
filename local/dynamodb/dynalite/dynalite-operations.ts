import batchGetItem from 'dynalite/actions/batchGetItem.js';
import batchWriteItem from 'dynalite/actions/batchWriteItem.js';
import createTable from 'dynalite/actions/createTable.js';
import deleteItem from 'dynalite/actions/deleteItem.js';
import deleteTable from 'dynalite/actions/deleteTable.js';
import describeTable from 'dynalite/actions/describeTable.js';
import getItem from 'dynalite/actions/getItem.js';
import listTables from 'dynalite/actions/listTables.js';
import listTagsOfResource from 'dynalite/actions/listTagsOfResource.js';
import putItem from 'dynalite/actions/putItem.js';
import query from 'dynalite/actions/query.js';
import scan from 'dynalite/actions/scan.js';
import tagResource from 'dynalite/actions/tagResource.js';
import untagResource from 'dynalite/actions/untagResource.js';
import updateItem from 'dynalite/actions/updateItem.js';
import updateTable from 'dynalite/actions/updateTable.js';
import type { Callback, ReadStore, Store, WriteStore } from 'dynalite/db/index.js';
import batchGetItemShape from 'dynalite/validations/batchGetItem.js';
import batchWriteItemShape from 'dynalite/validations/batchWriteItem.js';
import createTableShape from 'dynalite/validations/createTable.js';
import deleteItemShape from 'dynalite/validations/deleteItem.js';
import deleteTableShape from 'dynalite/validations/deleteTable.js';
import describeTableShape from 'dynalite/validations/describeTable.js';
import getItemShape from 'dynalite/validations/getItem.js';
import type { Custom, Types } from 'dynalite/validations/index.js';
import validations from 'dynalite/validations/index.js';
import listTablesShape from 'dynalite/validations/listTables.js';
import listTagsOfResourceShape from 'dynalite/validations/listTagsOfResource.js';
import putItemShape from 'dynalite/validations/putItem.js';
import queryShape from 'dynalite/validations/query.js';
import scanShape from 'dynalite/validations/scan.js';
import tagResourceShape from 'dynalite/validations/tagResource.js';
import untagResourceShape from 'dynalite/validations/untagResource.js';
import updateItemShape from 'dynalite/validations/updateItem.js';
import updateTableShape from 'dynalite/validations/updateTable.js';
import type { ParsedExpressions } from './condition-gaps.ts';
import { closeConditionGaps } from './condition-gaps.ts';

export type Result = Record<string, unknown>;

export interface Shape {
  types: Types;
  custom?: Custom;
}

interface DynaliteOperation<Store> extends Shape {
  action(store: Store, data: unknown, callback: Callback<Result>): void;
}

const returnValuesOnFailure = { type: 'String', enum: ['ALL_OLD', 'NONE'] };

/** dynalite's shape of a conditional write and the one parameter that it does not know. */
function withReturnOnFailure(shape: Shape): Shape {
  const types = { ...shape.types, ReturnValuesOnConditionCheckFailure: returnValuesOnFailure };
  return { ...shape, types };
}

export const itemReads = {
  GetItem: { ...getItemShape, action: getItem },
  BatchGetItem: { ...batchGetItemShape, action: batchGetItem },
  Query: { ...queryShape, action: query },
  Scan: { ...scanShape, action: scan },
} satisfies Record<string, DynaliteOperation<ReadStore>>;

export const itemWrites = {
  PutItem: { ...withReturnOnFailure(putItemShape), action: putItem },
  UpdateItem: { ...withReturnOnFailure(updateItemShape), action: updateItem },
  DeleteItem: { ...withReturnOnFailure(deleteItemShape), action: deleteItem },
  BatchWriteItem: { ...batchWriteItemShape, action: batchWriteItem },
} satisfies Record<string, DynaliteOperation<WriteStore>>;

export const tableChanges = {
  CreateTable: { ...createTableShape, action: createTable },
  UpdateTable: { ...updateTableShape, action: updateTable },
  DeleteTable: { ...deleteTableShape, action: deleteTable },
} satisfies Record<string, DynaliteOperation<Store>>;

export const tableMetadata = {
  DescribeTable: { ...describeTableShape, action: describeTable },
  ListTables: { ...listTablesShape, action: listTables },
  ListTagsOfResource: { ...listTagsOfResourceShape, action: listTagsOfResource },
  TagResource: { ...tagResourceShape, action: tagResource },
  UntagResource: { ...untagResourceShape, action: untagResource },
} satisfies Record<string, DynaliteOperation<Store>>;

/** Checks a request as dynalite does, and leaves in it only what the shape names. */
export function parseRequest<T extends object>(
  store: Store,
  { types, custom }: Shape,
  body: unknown,
): T & ParsedExpressions {
  const data = validations.checkTypes<T & ParsedExpressions>(body, types);
  validations.checkValidations(data, types, custom, store);
  closeConditionGaps(data);
  return data;
}

export function runAction<Store>(
  { action }: Pick<DynaliteOperation<Store>, 'action'>,
  store: Store,
  data: unknown,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    action(store, data, (error, result) => (error ? reject(error) : resolve(result || {})));
  });
}
