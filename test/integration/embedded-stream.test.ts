import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ListTablesCommand, UpdateTimeToLiveCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import type { ChangeStream } from '#local/dynamodb/store/change-stream.ts';
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

const all = { wanted: () => true };
const recordsOf = (stream: ChangeStream | undefined, after = 0) =>
  (stream?.read(after, 1000) ?? []).map(({ record }) => record);
const numberOf = ({ dynamodb }: DynamoDBRecord) => BigInt(dynamodb?.SequenceNumber ?? 0);

describe('the stream of the embedded engine', () => {
  it('has what was committed together one after the other, and tells of each commit', async () => {
    await useEmbedded(all, async (tables, { stream }) => {
      let commits = 0;
      const TableName = await tables.create();
      stream?.onCommit(() => {
        commits += 1;
      });
      const pair = (n: number) => ({
        TransactItems: ['a', 'b'].map((name) => ({
          Put: { TableName, Item: key(`${name}${n}`) },
        })),
      });
      await Promise.all([1, 2, 3, 4].map((n) => tables.documents.transactWrite(pair(n))));
      const names = recordsOf(stream).map(({ dynamodb }) => dynamodb?.Keys?.SK?.S);
      expect(names.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'b4']);
      expect(commits).toBe(4);
      for (const [place, name] of names.entries()) {
        if (place % 2 === 1) expect(name).toBe(names[place - 1]?.replace('a', 'b'));
      }
    });
  });

  it('keeps only what is wanted', async () => {
    const wanted = ({ eventName }: DynamoDBRecord) => eventName === 'REMOVE';
    await useEmbedded({ wanted }, async (tables, { stream }) => {
      const TableName = await tables.create();
      await tables.documents.put({ TableName, Item: key('a') });
      await tables.documents.delete({ TableName, Key: key('a') });
      expect(recordsOf(stream).map(({ eventName }) => eventName)).toEqual(['REMOVE']);
    });
  });

  it('marks what its time to live has ended for, at the time of the clock', async () => {
    const now = Date.UTC(2027, 0, 1);
    await useEmbedded(
      { ...all, now: () => now, sweepSeconds: 0.01 },
      async (tables, { stream }) => {
        const TableName = await tables.create();
        await tables.client.send(
          new UpdateTimeToLiveCommand({
            TableName,
            TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
          }),
        );
        await tables.documents.put({ TableName, Item: { ...key('a'), expires: now / 1000 - 1 } });
        await expect.poll(() => recordsOf(stream).length, { interval: 10 }).toBe(2);
        const records = recordsOf(stream);
        expect(records.map(({ eventName, userIdentity }) => ({ eventName, userIdentity }))).toEqual(
          [
            { eventName: 'INSERT', userIdentity: undefined },
            {
              eventName: 'REMOVE',
              userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
            },
          ],
        );
        expect(records[1]?.dynamodb?.ApproximateCreationDateTime).toBe(now / 1000);
      },
    );
  });

  it('is there again after a restart, with higher numbers, also than those of another folder before', async () => {
    const path = mkdtempSync(join(tmpdir(), 'embedded-stream-'));
    let now = Date.UTC(2027, 0, 1);
    const records: DynamoDBRecord[][] = [];
    const writeTwo = async (options: object) =>
      useEmbedded({ ...all, ...options, now: () => now }, async (tables, { stream }) => {
        const { TableNames } = await tables.client.send(new ListTablesCommand());
        const TableName = TableNames?.[0] ?? (await tables.create());
        await tables.documents.put({ TableName, Item: { ...key('a'), now } });
        await tables.documents.put({ TableName, Item: { ...key('b'), now } });
        records.push(recordsOf(stream));
      });
    await writeTwo({});
    now += 1;
    await writeTwo({ path });
    now += 1;
    await writeTwo({ path });
    rmSync(path, { recursive: true });
    expect(records.map((each) => each.length)).toEqual([2, 2, 4]);
    expect(records[2]?.slice(0, 2)).toEqual(records[1]);
    const numbers = [...(records[0] ?? []), ...(records[2] ?? [])].map(numberOf);
    expect(numbers.every((number, place) => place === 0 || number > numbers[place - 1]!)).toBe(
      true,
    );
  });
});
