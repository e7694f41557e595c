import { DeleteTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { credentials, region, setCredentials } from './credentials.ts';

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

/** One process serves all files of a suite; what is cleared is what this file has left there. */
async function clearSharedEngine(endpoint: string) {
  setCredentials();
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const { TableNames = [] } = await client.send(new ListTablesCommand());
  for (const TableName of TableNames) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
  return { endpoint, close: async () => undefined };
}
