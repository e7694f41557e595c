import { parseRequest } from '../requests/parse-request.ts';
import {
  CreateTable,
  type CreateTableRequest,
  ListTables,
  OneTable,
  UpdateTimeToLive,
} from '../requests/table-requests.ts';
import type { Engine } from '../store/engine.ts';
import type { IndexDefinition, KeyAttribute, TableDefinition } from '../store/table-definition.ts';
import { invalid, invalidParameter, ServiceError } from '../values/errors.ts';
import type { Answer } from './answer.ts';
import { describeDefinition } from './describe-definition.ts';

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
