import { setTimeout as delay } from 'node:timers/promises';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocument } from '@aws-sdk/lib-dynamodb';
import { credentials, region } from './credentials.ts';

export interface Tables {
  client: DynamoDBClient;
  documents: DynamoDBDocument;
  /** A new table, empty, by its name. */
  create(): Promise<string>;
  /** DynamoDB Local gets slower with every table that it keeps. */
  remove(name: string): Promise<void>;
  destroy(): void;
}

/** Clients of an engine. Nothing is retried behind a test's back. */
export function openTables(endpoint: string): Tables {
  const client = new DynamoDBClient({
    endpoint,
    region,
    credentials,
    maxAttempts: 1,
  });
  let created = 0;
  return {
    client,
    documents: DynamoDBDocument.from(client),
    async create() {
      created += 1;
      const TableName = `Table-${created}`;
      await client.send(new CreateTableCommand({ TableName, ...schema }));
      return TableName;
    },
    async remove(TableName) {
      await client.send(new DeleteTableCommand({ TableName }));
    },
    destroy: () => client.destroy(),
  };
}

/** As the real table: local indexes on one partition, sparse global ones beside. */
export const schema: Omit<CreateTableCommandInput, 'TableName'> = {
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [
    { AttributeName: 'PK', AttributeType: 'S' },
    { AttributeName: 'SK', AttributeType: 'S' },
    { AttributeName: 'id', AttributeType: 'N' },
    { AttributeName: 'stage', AttributeType: 'S' },
    { AttributeName: 'dueShard', AttributeType: 'S' },
    { AttributeName: 'due', AttributeType: 'N' },
    { AttributeName: 'projectName', AttributeType: 'S' },
  ],
  KeySchema: keySchema('PK', 'SK'),
  LocalSecondaryIndexes: [
    { IndexName: 'ById', KeySchema: keySchema('PK', 'id'), Projection: { ProjectionType: 'ALL' } },
    {
      IndexName: 'ByStage',
      KeySchema: keySchema('PK', 'stage'),
      Projection: { ProjectionType: 'KEYS_ONLY' },
    },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'ByDue',
      KeySchema: keySchema('dueShard', 'due'),
      Projection: { ProjectionType: 'ALL' },
    },
    {
      IndexName: 'ByProject',
      KeySchema: keySchema('projectName'),
      Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['title'] },
    },
  ],
};

function keySchema(hash: string, range?: string): CreateTableCommandInput['KeySchema'] {
  return [
    { AttributeName: hash, KeyType: 'HASH' },
    ...(range === undefined ? [] : [{ AttributeName: range, KeyType: 'RANGE' as const }]),
  ];
}

/** DynamoDB Local refuses what meets a running transaction; the embedded engine lets it wait. */
export async function retryConflicts<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      const text = String(error);
      if (attempts === 50 || !/TransactionConflict|TransactionInProgress/.test(text)) throw error;
      await delay(Math.random() * 10 * Math.min(attempts, 10));
    }
  }
}

/** The error of what must fail. */
export async function errorOf<E extends Error>(
  type: new (...args: never[]) => E,
  attempt: Promise<unknown>,
): Promise<E> {
  const error: unknown = await attempt.then(
    () => new Error('It did not fail.'),
    (reason: unknown) => reason,
  );
  if (error instanceof type) return error;
  throw error;
}
