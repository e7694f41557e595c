import * as v from 'valibot';

const TableName = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_.-]+$/, 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'),
  v.minLength(3, 'Member must have length greater than or equal to 3'),
  v.maxLength(255, 'Member must have length less than or equal to 255'),
);

const KeySchema = v.array(
  v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) }),
);

const Index = {
  IndexName: v.string(),
  KeySchema,
  Projection: v.strictObject({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.nullish(v.array(v.string())),
  }),
};

/** Options that mean nothing on a single machine. They are accepted and ignored. */
const ignoredOptions = {
  ProvisionedThroughput: v.nullish(v.unknown()),
  StreamSpecification: v.nullish(v.unknown()),
  SSESpecification: v.nullish(v.unknown()),
  Tags: v.nullish(v.unknown()),
  TableClass: v.nullish(v.unknown()),
  DeletionProtectionEnabled: v.nullish(v.unknown()),
  OnDemandThroughput: v.nullish(v.unknown()),
};

export const CreateTable = v.strictObject({
  TableName,
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  KeySchema,
  LocalSecondaryIndexes: v.nullish(v.array(v.strictObject(Index))),
  GlobalSecondaryIndexes: v.nullish(
    v.array(
      v.strictObject({
        ...Index,
        ProvisionedThroughput: v.nullish(v.unknown()),
        OnDemandThroughput: v.nullish(v.unknown()),
      }),
    ),
  ),
  BillingMode: v.nullish(v.picklist(['PROVISIONED', 'PAY_PER_REQUEST'])),
  ...ignoredOptions,
});
export type CreateTableRequest = v.InferOutput<typeof CreateTable>;

export const OneTable = v.strictObject({ TableName });

export const ListTables = v.strictObject({
  ExclusiveStartTableName: v.nullish(v.string()),
  Limit: v.nullish(v.pipe(v.number(), v.minValue(1), v.maxValue(100))),
});

export const UpdateTimeToLive = v.strictObject({
  TableName,
  TimeToLiveSpecification: v.strictObject({
    AttributeName: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
    Enabled: v.boolean(),
  }),
});
