import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { chooseConnection } from '#lib/table/connection.ts';
import { tableDefinition } from '#lib/table/definition.ts';

/** Creates the table if it does not exist, with the keys and indexes that infra deploys. */
export async function createTable(name: string, endpoint?: string): Promise<void> {
  const client = new DynamoDBClient(endpoint === undefined ? {} : { endpoint });
  if (endpoint === undefined) chooseConnection()(client);
  try {
    await client.send(new CreateTableCommand(describeTable(name)));
    await waitUntilActive(client, name);
    await client.send(
      new UpdateTimeToLiveCommand({
        TableName: name,
        TimeToLiveSpecification: { AttributeName: tableDefinition.timeToLive, Enabled: true },
      }),
    );
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  } finally {
    client.destroy();
  }
}

export function describeTable(name: string): CreateTableCommand['input'] {
  const { partitionKey, sortKey, localIndexes, globalIndexes } = tableDefinition;
  const keys = new Set<string>([
    partitionKey,
    sortKey,
    ...localIndexes,
    ...globalIndexes.flatMap((index) => [index.partitionKey, index.sortKey]),
  ]);
  return {
    TableName: name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...keys].map((key) => ({ AttributeName: key, AttributeType: 'S' })),
    KeySchema: keySchema(partitionKey, sortKey),
    LocalSecondaryIndexes: localIndexes.map((index) => ({
      IndexName: index,
      KeySchema: keySchema(partitionKey, index),
      Projection: { ProjectionType: 'ALL' },
    })),
    GlobalSecondaryIndexes: globalIndexes.map((index) => ({
      IndexName: index.name,
      KeySchema: keySchema(index.partitionKey, index.sortKey),
      Projection: { ProjectionType: index.projection },
    })),
  };
}

function keySchema(partitionKey: string, sortKey: string) {
  return [
    { AttributeName: partitionKey, KeyType: 'HASH' as const },
    { AttributeName: sortKey, KeyType: 'RANGE' as const },
  ];
}

async function waitUntilActive(client: DynamoDBClient, name: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }));
    if (Table?.TableStatus === 'ACTIVE') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The table ${name} was not ready within 10 seconds.`);
}
