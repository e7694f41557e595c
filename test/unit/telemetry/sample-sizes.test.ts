import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';

const key = { PK: 'USER#1', SK: 'PROFILE' };
const put = new PutCommand({ TableName: 't', Item: key });
const transaction = new TransactWriteCommand({
  TransactItems: [{ Put: { TableName: 't', Item: key } }],
});

/** A table that tells these sizes, where it is asked to; and what was asked of it. */
function openClient(answer: object, random = () => 0) {
  const asked: unknown[] = [];
  const client = new DynamoDBClient({ region: 'eu-central-1' });
  const documents = DynamoDBDocumentClient.from(client);
  sampleSizes(documents, random);
  client.middlewareStack.add(
    () =>
      async ({ input }) => {
        asked.push('ReturnItemCollectionMetrics' in input && input.ReturnItemCollectionMetrics);
        return { output: { $metadata: {}, ...answer }, response: {} };
      },
    { step: 'serialize', priority: 'high' },
  );
  return { asked, documents };
}

const collection = (PK: string, sizes: [number, number]) => ({
  ItemCollectionKey: { PK: { S: PK } },
  SizeEstimateRangeGB: sizes,
});

function readLines(log: string[]) {
  return log.map((line) => JSON.parse(line));
}

describe('the sizes of partitions', () => {
  it('are asked for by one write of a hundred, and by no read', async () => {
    for (const { chance, answer } of [
      { chance: 0.0099, answer: 'SIZE' },
      { chance: 0.01, answer: undefined },
    ]) {
      const { asked, documents } = openClient({}, () => chance);
      await documents.send(put);
      await documents.send(transaction);
      await documents.send(new GetCommand({ TableName: 't', Key: key }));
      expect(asked.map((each) => each || undefined)).toEqual([answer, answer, undefined]);
    }
  });

  it('become a metric each, of all that a transaction touches', async () => {
    const log = captureLog();
    const sizes = [collection('USER#1', [0, 1]), collection('LEDGER#1#a#b', [7, 7.9])];
    await openClient({ ItemCollectionMetrics: { t: sizes } }).documents.send(transaction);
    expect(readLines(log)).toMatchObject([{ PartitionGigabytes: 1 }, { PartitionGigabytes: 7.9 }]);
  });

  it('are told with the partition from eight gigabytes on', async () => {
    const log = captureLog();
    const answer = { ItemCollectionMetrics: collection('WEBHOOK#1', [7, 8]) };
    await openClient(answer).documents.send(put);
    expect(readLines(log)).toMatchObject([
      { PartitionGigabytes: 8 },
      {
        level: 'WARN',
        message: 'partition fills up',
        partition: 'WEBHOOK#1',
        gigabytes: 8,
      },
    ]);
  });

  it.each([{}, { ItemCollectionMetrics: {} }, { ItemCollectionMetrics: 'large' }])(
    'that are not told harm nothing: %o',
    async (answer) => {
      const log = captureLog();
      await openClient(answer).documents.send(put);
      expect(log).toEqual([]);
    },
  );
});
