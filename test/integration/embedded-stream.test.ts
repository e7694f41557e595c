import { UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { type StreamedTable, streamedEngines } from '../engines/streamed-engines.ts';
import { useEmbedded } from '../engines/use-embedded.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });
const keys = (SK: string) => ({ PK: { S: 'USER#1' }, SK: { S: SK } });

/** What happened to an item, without numbers and times. */
function describeRecord({ eventName, dynamodb }: DynamoDBRecord) {
  const { Keys, OldImage, NewImage } = dynamodb ?? {};
  return { eventName, Keys, OldImage, NewImage };
}

function put({ tables, name }: StreamedTable, SK: string, more: object = {}) {
  return tables.documents.put({ TableName: name, Item: { ...key(SK), ...more } });
}

describe.each(streamedEngines.filter(({ available }) => available))(
  'the stream of a table on $name',
  ({ use }) => {
    it('tells of every kind of write, with the item before and after', async () => {
      await use(async (table) => {
        const { tables, name: TableName } = table;
        await put(table, 'a', { text: 'x', list: [1, { deep: true }], nothing: null });
        await tables.documents.update({
          TableName,
          Key: key('a'),
          UpdateExpression: 'SET #text = :y REMOVE #list',
          ExpressionAttributeNames: { '#text': 'text', '#list': 'list' },
          ExpressionAttributeValues: { ':y': 'y' },
        });
        await tables.documents.delete({ TableName, Key: key('a') });

        const first = {
          ...keys('a'),
          text: { S: 'x' },
          list: { L: [{ N: '1' }, { M: { deep: { BOOL: true } } }] },
          nothing: { NULL: true },
        };
        const second = { ...keys('a'), text: { S: 'y' }, nothing: { NULL: true } };
        const records = await table.readRecords();
        expect(records.map(describeRecord)).toEqual([
          { eventName: 'INSERT', Keys: keys('a'), OldImage: undefined, NewImage: first },
          { eventName: 'MODIFY', Keys: keys('a'), OldImage: first, NewImage: second },
          { eventName: 'REMOVE', Keys: keys('a'), OldImage: second, NewImage: undefined },
        ]);
      });
    });

    it('tells of transactions and batches, item by item', async () => {
      await use(async (table) => {
        const { tables, name: TableName } = table;
        await put(table, 'old');
        await put(table, 'checked');
        await tables.documents.transactWrite({
          TransactItems: [
            { Put: { TableName, Item: key('new') } },
            { Delete: { TableName, Key: key('old') } },
            {
              ConditionCheck: {
                TableName,
                Key: key('checked'),
                ConditionExpression: 'attribute_exists(PK)',
              },
            },
            {
              Update: {
                TableName,
                Key: key('counter'),
                UpdateExpression: 'ADD #count :one',
                ExpressionAttributeNames: { '#count': 'count' },
                ExpressionAttributeValues: { ':one': 1 },
              },
            },
          ],
        });
        await tables.documents.batchWrite({
          RequestItems: {
            [TableName]: [
              { PutRequest: { Item: key('batched') } },
              { DeleteRequest: { Key: key('new') } },
            ],
          },
        });
        const records = (await table.readRecords()).slice(2).map(describeRecord);
        const told = records.map(({ eventName, Keys }) => `${eventName} ${Keys?.SK?.S}`);
        expect(told.slice(0, 3).sort()).toEqual(['INSERT counter', 'INSERT new', 'REMOVE old']);
        expect(told.slice(3).sort()).toEqual(['INSERT batched', 'REMOVE new']);
      });
    });

    it('tells nothing of a write that changes nothing, and nothing of one that was refused', async () => {
      await use(async (table) => {
        const { tables, name: TableName } = table;
        const never = { ConditionExpression: 'attribute_exists(missing)' };
        await put(table, 'a', { one: 1, two: { x: 1, y: 2 } });
        const before = await table.readRecords();
        expect(before).toHaveLength(1);

        await put(table, 'a', { two: { y: 2, x: 1 }, one: 1 });
        await tables.documents.delete({ TableName, Key: key('nobody') });
        await tables.documents.update({
          TableName,
          Key: key('a'),
          UpdateExpression: 'SET one = :one',
          ExpressionAttributeValues: { ':one': 1 },
        });
        const Item = key('b');
        await expect(tables.documents.put({ TableName, Item, ...never })).rejects.toThrow();
        await expect(
          tables.documents.transactWrite({
            TransactItems: [
              { Put: { TableName, Item: key('c') } },
              { Delete: { TableName, Key: key('a'), ...never } },
            ],
          }),
        ).rejects.toThrow();
        expect(await table.readRecords()).toEqual(before);
      });
    });

    it('numbers its records in their order, each with an id of its own', async () => {
      await use(async (table) => {
        for (let n = 0; n < 12; n += 1) await put(table, 'same', { n });
        const records = await table.readRecords();
        expect(records.map(({ dynamodb }) => dynamodb?.NewImage?.n?.N)).toEqual(
          Array.from({ length: 12 }, (_, n) => String(n)),
        );
        const numbers = records.map(({ dynamodb }) => BigInt(dynamodb?.SequenceNumber ?? 0));
        expect(numbers.every((number, index) => index === 0 || number > numbers[index - 1]!)).toBe(
          true,
        );
        expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(12);
        for (const { dynamodb, eventSource } of records) {
          expect(dynamodb?.StreamViewType).toBe('NEW_AND_OLD_IMAGES');
          expect(eventSource).toBe('aws:dynamodb');
        }
      });
    });
  },
);

describe('the stream of the embedded engine', () => {
  it('hands on what was committed together in one call, and calls in commit order', async () => {
    const calls: (string | undefined)[][] = [];
    const onChanges = (records: DynamoDBRecord[]) => {
      calls.push(records.map(({ dynamodb }) => dynamodb?.Keys?.SK?.S));
    };
    await useEmbedded({ onChanges }, async (tables) => {
      const TableName = await tables.create();
      const pair = (n: number) => ({
        TransactItems: ['a', 'b'].map((name) => ({
          Put: { TableName, Item: key(`${name}${n}`) },
        })),
      });
      await Promise.all([1, 2, 3, 4].map((n) => tables.documents.transactWrite(pair(n))));
    });
    expect(calls.map((call) => call.length)).toEqual([2, 2, 2, 2]);
    for (const [a, b] of calls) expect(b).toBe(a?.replace('a', 'b'));
  });

  it('marks what its time to live has ended for, at the time of the clock', async () => {
    const now = Date.UTC(2027, 0, 1);
    const records: DynamoDBRecord[] = [];
    const onChanges = (more: DynamoDBRecord[]) => records.push(...more);
    await useEmbedded({ onChanges, now: () => now, sweepSeconds: 0.01 }, async (tables) => {
      const TableName = await tables.create();
      await tables.client.send(
        new UpdateTimeToLiveCommand({
          TableName,
          TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
        }),
      );
      await tables.documents.put({ TableName, Item: { ...key('a'), expires: now / 1000 - 1 } });
      await expect.poll(() => records.length, { interval: 10 }).toBe(2);
    });
    expect(records.map(({ eventName, userIdentity }) => ({ eventName, userIdentity }))).toEqual([
      { eventName: 'INSERT', userIdentity: undefined },
      {
        eventName: 'REMOVE',
        userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
      },
    ]);
    expect(records[1]?.dynamodb?.ApproximateCreationDateTime).toBe(now / 1000);
  });

  it('goes on with higher numbers after a restart', async () => {
    let now = Date.UTC(2027, 0, 1);
    const numbers: bigint[] = [];
    const onChanges = (records: DynamoDBRecord[]) => {
      numbers.push(...records.map(({ dynamodb }) => BigInt(dynamodb?.SequenceNumber ?? 0)));
    };
    for (let run = 0; run < 2; run += 1) {
      await useEmbedded({ onChanges, now: () => now }, async (tables) => {
        const TableName = await tables.create();
        await tables.documents.put({ TableName, Item: key('a') });
        await tables.documents.put({ TableName, Item: key('b') });
      });
      now += 1;
    }
    expect(numbers).toHaveLength(4);
    expect(numbers.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(numbers);
    expect(new Set(numbers).size).toBe(4);
  });
});
