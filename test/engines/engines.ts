import { DeleteTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { startEmbeddedDynamoDb } from '../../local/dynamodb/embedded-dynamodb.ts';

export interface Engine {
  name: string;
  /** False where this machine cannot run it. */
  available: boolean;
  /** With no table in it. */
  start(): Promise<{ endpoint: string; close(): Promise<void> }>;
}

const dynamoDbLocal = inject('dynamoDbLocal');

export const embedded: Engine = {
  name: 'embedded',
  available: true,
  start: () => startEmbeddedDynamoDb(),
};

/** What a test of the table runs on: the laptop edition's engine, and the one it must behave as. */
export const engines: Engine[] = [
  embedded,
  {
    name: 'DynamoDB Local',
    available: dynamoDbLocal !== undefined,
    start: () => clearSharedEngine(dynamoDbLocal ?? ''),
  },
];

/** One process serves all files, a file at a time (test/setup/start-dynamodb-local.ts). */
async function clearSharedEngine(endpoint: string) {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  return { endpoint, close: async () => undefined };
}
