import * as v from 'valibot';
import { Delete, Get, GetItem, Put, PutItem, Update } from './item-requests.ts';

const fewest = 'Member must have length greater than or equal to 1';
const most = 'Member must have length less than or equal to 100';

const TransactItem = v.strictObject({
  ConditionCheck: v.nullish(v.strictObject({ ...Delete.entries, ConditionExpression: v.string() })),
  Put: v.nullish(Put),
  Update: v.nullish(v.strictObject({ ...Update.entries, UpdateExpression: v.string() })),
  Delete: v.nullish(Delete),
});

export type TransactItem = v.InferOutput<typeof TransactItem>;

export const TransactWriteItems = v.strictObject({
  TransactItems: v.pipe(v.array(TransactItem), v.minLength(1, fewest), v.maxLength(100, most)),
  ClientRequestToken: v.nullish(
    v.pipe(
      v.string(),
      v.minLength(1, 'Member must have length greater than or equal to 1'),
      v.maxLength(36, 'Member must have length less than or equal to 36'),
    ),
  ),
  ReturnConsumedCapacity: PutItem.entries.ReturnConsumedCapacity,
  ReturnItemCollectionMetrics: PutItem.entries.ReturnItemCollectionMetrics,
});

export const TransactGetItems = v.strictObject({
  TransactItems: v.pipe(
    v.array(v.strictObject({ Get })),
    v.minLength(1, fewest),
    v.maxLength(100, most),
  ),
  ReturnConsumedCapacity: GetItem.entries.ReturnConsumedCapacity,
});
