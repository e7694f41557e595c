import * as v from 'valibot';
import { parseRequest } from '../requests/parse-request.ts';
import type { Engine } from '../store/engine.ts';
import {
  type IndexDefinition,
  type KeyAttribute,
  keysOf,
  type TableDefinition,
} from '../store/table-definition.ts';
import { invalid, invalidParameter, ServiceError } from '../values/errors.ts';
import type { Answer } from './answer.ts';

export function createTable({ tables, now }: Engine, body: unknown): Answer {
  const request = parseRequest(CreateTable, body);
  const definition = readDefinition(request, now());
  if (tables.find(request.TableName)) {
    throw new ServiceError('ResourceInUseException', `Table already exists: ${request.TableName}`);
  }
  return { TableDescription: describeDefinition(tables.create(definition)) };
}

function readDefinition(
  request: CreateTableRequest,
  createdAt: number,
): Omit<TableDefinition, 'id'> {
  const keysOf = (schema: CreateTableRequest['KeySchema']) => {
    const [hash, range, ...others] = schema.map((key, place) => {
      const isInPlace = key.KeyType === (place === 0 ? 'HASH' : 'RANGE');
      if (!isInPlace) throw invalidParameter('A key schema is a HASH and perhaps a RANGE after it');
      return findAttribute(request, key.AttributeName);
    });
    if (!hash || others.length > 0) {
      throw invalidParameter('A key schema has one or two attributes');
    }
    return { hash, range };
  };
  const indexesOf = (
    kind: IndexDefinition['kind'],
    indexes: CreateTableRequest['LocalSecondaryIndexes'],
  ) =>
    (indexes ?? []).map(({ IndexName, KeySchema, Projection }) => ({
      name: IndexName,
      kind,
      ...keysOf(KeySchema),
      projection: Projection.ProjectionType,
      included: Projection.NonKeyAttributes ?? [],
    }));
  return {
    name: request.TableName,
    ...keysOf(request.KeySchema),
    indexes: [
      ...indexesOf('local', request.LocalSecondaryIndexes),
      ...indexesOf('global', request.GlobalSecondaryIndexes),
    ].map((index, number) => ({ number, ...index })),
    createdAt,
    billingMode: request.BillingMode ?? 'PROVISIONED',
  };
}

function findAttribute({ AttributeDefinitions }: CreateTableRequest, wanted: string): KeyAttribute {
  const found = AttributeDefinitions.find(({ AttributeName }) => AttributeName === wanted);
  if (!found) {
    throw invalidParameter(
      'Some index key attributes are not defined in AttributeDefinitions. ' +
        `Keys: [${wanted}], AttributeDefinitions: ` +
        `[${AttributeDefinitions.map(({ AttributeName }) => AttributeName).join(', ')}]`,
    );
  }
  return { name: found.AttributeName, type: found.AttributeType };
}

export function describeTable(engine: Engine, body: unknown): Answer {
  return { Table: describeDefinition(requireNamed(engine, parseRequest(OneTable, body))) };
}

export function deleteTable(engine: Engine, body: unknown): Answer {
  const table = requireNamed(engine, parseRequest(OneTable, body));
  engine.tables.delete(table);
  return { TableDescription: { ...describeDefinition(table), TableStatus: 'DELETING' } };
}

export function listTables({ tables }: Engine, body: unknown): Answer {
  const { ExclusiveStartTableName: after, Limit } = parseRequest(ListTables, body);
  const names = tables.names.filter((name) => after == null || name > after);
  const TableNames = names.slice(0, Limit ?? 100);
  const isCut = TableNames.length < names.length;
  return { TableNames, ...(isCut && { LastEvaluatedTableName: TableNames.at(-1) }) };
}

export function updateTimeToLive(engine: Engine, body: unknown): Answer {
  const request = parseRequest(UpdateTimeToLive, body);
  const { AttributeName, Enabled } = request.TimeToLiveSpecification;
  const { tables } = engine;
  const table = requireNamed(engine, request);
  const current = tables.timeToLive(table);
  if (!Enabled && current === undefined) throw invalid('TimeToLive is already disabled');
  if (current !== undefined && current !== AttributeName) {
    throw invalid(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${current}`,
    );
  }
  if (Enabled && current !== undefined) throw invalid('TimeToLive is already enabled');
  tables.setTimeToLive(table, Enabled ? AttributeName : undefined);
  return { TimeToLiveSpecification: request.TimeToLiveSpecification };
}

export function describeTimeToLive(engine: Engine, body: unknown): Answer {
  const attribute = engine.tables.timeToLive(requireNamed(engine, parseRequest(OneTable, body)));
  return {
    TimeToLiveDescription:
      attribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: attribute },
  };
}

function requireNamed({ tables }: Engine, { TableName }: { TableName: string }): TableDefinition {
  const table = tables.find(TableName);
  if (table) return table;
  throw new ServiceError(
    'ResourceNotFoundException',
    `Requested resource not found: Table: ${TableName} not found`,
  );
}

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

const CreateTable = v.strictObject({
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
type CreateTableRequest = v.InferOutput<typeof CreateTable>;

const OneTable = v.strictObject({ TableName });

const ListTables = v.strictObject({
  ExclusiveStartTableName: v.nullish(v.string()),
  Limit: v.nullish(v.pipe(v.number(), v.minValue(1), v.maxValue(100))),
});

const UpdateTimeToLive = v.strictObject({
  TableName,
  TimeToLiveSpecification: v.strictObject({
    AttributeName: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
    Enabled: v.boolean(),
  }),
});

/** Describes the table as DescribeTable does. */
function describeDefinition(table: TableDefinition): Readonly<Record<string, unknown>> {
  const local = table.indexes.filter(({ kind }) => kind === 'local');
  const global = table.indexes.filter(({ kind }) => kind === 'global');
  return {
    TableName: table.name,
    TableStatus: 'ACTIVE',
    TableArn: `arn:aws:dynamodb:local:000000000000:table/${table.name}`,
    CreationDateTime: table.createdAt / 1000,
    AttributeDefinitions: listAttributes(table),
    KeySchema: describeKeys(table),
    BillingModeSummary: { BillingMode: table.billingMode },
    ...(local.length > 0 && { LocalSecondaryIndexes: local.map(describeIndex) }),
    ...(global.length > 0 && {
      GlobalSecondaryIndexes: global.map((index) => ({
        ...describeIndex(index),
        IndexStatus: 'ACTIVE',
      })),
    }),
  };
}

function listAttributes(table: TableDefinition): object[] {
  const attributes = [table, ...table.indexes].flatMap(keysOf);
  const types = new Map(attributes.map(({ name, type }) => [name, type]));
  return [...types].map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

function describeKeys({ hash, range }: Pick<TableDefinition, 'hash' | 'range'>): object[] {
  return [
    { AttributeName: hash.name, KeyType: 'HASH' },
    ...(range ? [{ AttributeName: range.name, KeyType: 'RANGE' }] : []),
  ];
}

function describeIndex(index: IndexDefinition): object {
  return {
    IndexName: index.name,
    KeySchema: describeKeys(index),
    Projection: {
      ProjectionType: index.projection,
      ...(index.included.length > 0 && { NonKeyAttributes: index.included }),
    },
  };
}
