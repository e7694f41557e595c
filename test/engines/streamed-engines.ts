import { UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { inject } from 'vitest';
import { streamArn } from '#local/dynamodb/store/change-stream.ts';
import { credentials, region } from './credentials.ts';
import { engines } from './engines.ts';
import type { Tables } from './open-tables.ts';
import { openTables } from './open-tables.ts';
import { useEmbedded } from './use-embedded.ts';

/** A table with a stream. */
export interface StreamedTable {
  readonly tables: Tables;
  readonly name: string;
  /** Every record since the table was made, in order. */
  readRecords(): Promise<DynamoDBRecord[]>;
}

export interface StreamedEngine {
  readonly name: string;
  readonly available: boolean;
  use(task: (table: StreamedTable) => Promise<void>): Promise<void>;
}

export const streamedEngines: StreamedEngine[] = [
  {
    name: 'embedded',
    available: true,
    use: (task) =>
      useEmbedded({ wanted: () => true }, async (tables, { stream }) => {
        const name = await tables.create();
        const readRecords = async () =>
          (stream?.read(0, 1000) ?? [])
            .map(({ record }) => record)
            .filter(({ eventSourceARN }) => eventSourceARN === streamArn(name));
        await task({ tables, name, readRecords });
      }),
  },
  { name: 'DynamoDB Local', available: inject('dynamoDbLocal') !== undefined, use: useLocal },
];

async function useLocal(task: (table: StreamedTable) => Promise<void>): Promise<void> {
  const { endpoint, close } = await engines[1]!.start();
  const tables = openTables(endpoint);
  try {
    const name = await tables.create();
    const { TableDescription } = await tables.client.send(
      new UpdateTableCommand({
        TableName: name,
        StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
      }),
    );
    const stream = TableDescription?.LatestStreamArn ?? '';
    await task({ tables, name, readRecords: () => readStream(endpoint, stream) });
  } finally {
    tables.destroy();
    await close();
  }
}

/** Of the one shard that a young stream has. */
async function readStream(endpoint: string, StreamArn: string): Promise<DynamoDBRecord[]> {
  const { StreamDescription } = await ask(endpoint, 'DescribeStream', { StreamArn });
  const ShardId = StreamDescription.Shards[0].ShardId;
  const { ShardIterator } = await ask(endpoint, 'GetShardIterator', {
    StreamArn,
    ShardId,
    ShardIteratorType: 'TRIM_HORIZON',
  });
  return (await ask(endpoint, 'GetRecords', { ShardIterator })).Records;
}

/** The operations of streams have a client of their own, which nothing else here needs. */
async function ask(endpoint: string, operation: string, body: object) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      authorization:
        `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20260101/${region}/dynamodb/aws4_request, ` +
        'SignedHeaders=host, Signature=none',
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${operation}: ${response.status} ${await response.text()}`);
  return JSON.parse(await response.text());
}
