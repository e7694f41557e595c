import * as v from 'valibot';

const TableName = v.pipe(v.string(), atLeastOne(), atMost(1024));
/** Attribute values are validated later, by `readItem`. */
const Attributes = v.unknown();
const Names = v.nullish(v.record(v.string(), v.string()));
const Values = v.nullish(v.record(v.string(), v.unknown()));
const Expression = v.nullish(v.string());

const capacity = v.nullish(v.picklist(['INDEXES', 'TOTAL', 'NONE']));
const oldOrNone = v.nullish(v.picklist(['ALL_OLD', 'NONE']));
const metrics = v.nullish(v.picklist(['SIZE', 'NONE']));

const conditional = {
  TableName,
  ConditionExpression: Expression,
  ExpressionAttributeNames: Names,
  ExpressionAttributeValues: Values,
  ReturnValuesOnConditionCheckFailure: oldOrNone,
};
const answered = { ReturnConsumedCapacity: capacity, ReturnItemCollectionMetrics: metrics };

export const Put = v.strictObject({ ...conditional, Item: Attributes });
export const Update = v.strictObject({
  ...conditional,
  Key: Attributes,
  UpdateExpression: Expression,
});
export const Delete = v.strictObject({ ...conditional, Key: Attributes });

export const PutItem = v.strictObject({
  ...Put.entries,
  ...answered,
  ReturnValues: oldOrNone,
});
export const UpdateItem = v.strictObject({
  ...Update.entries,
  ...answered,
  ReturnValues: v.nullish(v.picklist(['ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW', 'NONE'])),
});
export const DeleteItem = v.strictObject({
  ...Delete.entries,
  ...answered,
  ReturnValues: oldOrNone,
});

const projected = { ProjectionExpression: Expression, ExpressionAttributeNames: Names };

const Get = v.strictObject({ TableName, Key: Attributes, ...projected });
export const GetItem = v.strictObject({
  ...Get.entries,
  ConsistentRead: v.nullish(v.boolean()),
  ReturnConsumedCapacity: capacity,
});

export const BatchGetItem = v.strictObject({
  RequestItems: v.record(
    v.string(),
    v.strictObject({
      Keys: v.pipe(v.array(Attributes), atLeastOne(), atMost(100)),
      ConsistentRead: v.nullish(v.boolean()),
      ...projected,
    }),
  ),
  ReturnConsumedCapacity: capacity,
});

export const BatchWriteItem = v.strictObject({
  RequestItems: v.record(
    v.string(),
    v.pipe(
      v.array(
        v.strictObject({
          PutRequest: v.nullish(v.strictObject({ Item: Attributes })),
          DeleteRequest: v.nullish(v.strictObject({ Key: Attributes })),
        }),
      ),
      atLeastOne(),
      atMost(25),
    ),
  ),
  ...answered,
});

const page = {
  TableName,
  IndexName: v.nullish(v.string()),
  Limit: v.nullish(
    v.pipe(
      v.number(),
      v.integer('Member must be a whole number'),
      v.minValue(1, 'Member must have value greater than or equal to 1'),
    ),
  ),
  ExclusiveStartKey: v.nullish(v.unknown()),
  FilterExpression: Expression,
  ...projected,
  ExpressionAttributeValues: Values,
  Select: v.nullish(
    v.picklist(['ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT']),
  ),
  ConsistentRead: v.nullish(v.boolean()),
  ReturnConsumedCapacity: capacity,
};

export const Scan = v.strictObject(page);
export const Query = v.strictObject({
  ...page,
  KeyConditionExpression: v.string(),
  ScanIndexForward: v.nullish(v.boolean()),
});

export type PageRequest = v.InferOutput<typeof Scan>;
export type CapacityMode = v.InferOutput<typeof capacity>;

const TransactItem = v.strictObject({
  ConditionCheck: v.nullish(v.strictObject({ ...Delete.entries, ConditionExpression: v.string() })),
  Put: v.nullish(Put),
  Update: v.nullish(v.strictObject({ ...Update.entries, UpdateExpression: v.string() })),
  Delete: v.nullish(Delete),
});

export type TransactItem = v.InferOutput<typeof TransactItem>;

export const TransactWriteItems = v.strictObject({
  TransactItems: v.pipe(v.array(TransactItem), atLeastOne(), atMost(100)),
  ClientRequestToken: v.nullish(v.pipe(v.string(), atLeastOne(), atMost(36))),
  ...answered,
});

export const TransactGetItems = v.strictObject({
  TransactItems: v.pipe(v.array(v.strictObject({ Get })), atLeastOne(), atMost(100)),
  ReturnConsumedCapacity: capacity,
});

function atLeastOne<Input extends v.LengthInput>() {
  return v.minLength<Input, 1, string>(1, 'Member must have length greater than or equal to 1');
}

function atMost<Input extends v.LengthInput>(length: number) {
  const message = `Member must have length less than or equal to ${length}`;
  return v.maxLength<Input, number, string>(length, message);
}
