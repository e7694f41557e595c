import {
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { errorOf } from '../engines/open-tables.ts';
import { useEmbedded } from '../engines/use-embedded.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });

onEveryEngine('limits and tokens of transactions on $name', ({ name, start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeEach(async () => {
    TableName = await tables.create();
  });

  const read = async (SK: string) =>
    (await tables.documents.get({ TableName, Key: key(SK), ConsistentRead: true })).Item;
  const addOne = (SK: string, by = 1) => ({
    Update: {
      TableName,
      Key: key(SK),
      UpdateExpression: 'ADD n :by',
      ExpressionAttributeValues: { ':by': by },
    },
  });
  const put = (SK: string, more: object = {}, conditions: object = {}) => ({
    Put: { TableName, Item: { ...key(SK), ...more }, ...conditions },
  });

  const manyPuts = (count: number) =>
    Array.from({ length: count }, (_, i) => put(`many-${i}`, { id: i }));

  it('takes 100 actions, and refuses 101, none, and two on one item', async () => {
    await tables.documents.transactWrite({ TransactItems: manyPuts(100) });
    const { Count } = await tables.documents.query({
      TableName,
      IndexName: 'ById',
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :user',
      ExpressionAttributeValues: { ':user': 'USER#1' },
    });
    expect(Count).toBe(100);

    const refusal = async (TransactItems: ReturnType<typeof put>[]) =>
      errorOf(DynamoDBServiceException, tables.documents.transactWrite({ TransactItems })).then(
        (error) => ({ name: error.name, message: error.message }),
      );
    expect(await refusal(manyPuts(101))).toEqual({
      name: 'ValidationException',
      message: expect.stringContaining('Member must have length less than or equal to 100'),
    });
    expect(await refusal([])).toEqual({
      name: 'ValidationException',
      message: expect.stringContaining('Member must have length greater than or equal to 1'),
    });
    expect(await refusal([put('twice', { n: 1 }), put('twice', { n: 2 })])).toEqual({
      name: 'ValidationException',
      message: 'Transaction request cannot include multiple operations on one item',
    });
    expect(await read('twice')).toBeUndefined();
  });

  it('refuses more than 4 MB, and an action that is none or two', async () => {
    const refusal = (TransactItems: object[]) =>
      errorOf(DynamoDBServiceException, tables.documents.transactWrite({ TransactItems })).then(
        (error) => `${error.name}: ${error.message}`,
      );
    const large = Array.from({ length: 12 }, (_, i) => put(`${i}`, { text: 'x'.repeat(390_000) }));
    expect(await refusal(large)).toMatch(/^ValidationException: .*cannot exceed 4MB/);
    expect(await refusal([{}])).toMatch(/^ValidationException: .*should contain Delete or Put/);
    expect(await refusal([{ ...put('a'), ...addOne('b') }])).toMatch(
      /^ValidationException: TransactItems can only contain one of Check, Put, Update or Delete/,
    );
  });

  it('does a repeated request token once, and refuses it for other parameters', async () => {
    const once = { TransactItems: [addOne('counter')], ClientRequestToken: `once-${name}` };
    await tables.documents.transactWrite(once);
    await tables.documents.transactWrite(once);
    await Promise.all([tables.documents.transactWrite(once), tables.documents.transactWrite(once)]);
    expect(await read('counter')).toEqual({ ...key('counter'), n: 1 });

    await errorOf(
      IdempotentParameterMismatchException,
      tables.documents.transactWrite({ ...once, TransactItems: [addOne('counter', 2)] }),
    );
    expect(await read('counter')).toEqual({ ...key('counter'), n: 1 });
  });

  it('does not remember the token of a cancelled transaction', async () => {
    const request = {
      TransactItems: [
        {
          Update: {
            TableName,
            Key: key('counter'),
            ConditionExpression: 'attribute_not_exists(closed)',
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
      ClientRequestToken: `cancelled-${name}`,
    };
    await tables.documents.put({ TableName, Item: { ...key('counter'), n: 0, closed: true } });
    await errorOf(TransactionCanceledException, tables.documents.transactWrite(request));
    await tables.documents.put({ TableName, Item: { ...key('counter'), n: 0 } });
    await tables.documents.transactWrite(request);
    expect(await read('counter')).toEqual({ ...key('counter'), n: 1 });
  });

  it('gets several items at once, in order, projected, with gaps where there are none', async () => {
    await tables.documents.put({ TableName, Item: { ...key('a'), n: 1, m: 2 } });
    await tables.documents.put({ TableName, Item: { ...key('c'), n: 3 } });
    const { Responses } = await tables.documents.transactGet({
      TransactItems: [
        { Get: { TableName, Key: key('c') } },
        { Get: { TableName, Key: key('b') } },
        { Get: { TableName, Key: key('a'), ProjectionExpression: 'm' } },
      ],
    });
    expect(Responses).toEqual([{ Item: { ...key('c'), n: 3 } }, {}, { Item: { m: 2 } }]);
  });

  it('refuses to get one item twice, from no table, or by half a key', async () => {
    const refusal = (...gets: object[]) =>
      errorOf(
        DynamoDBServiceException,
        tables.documents.transactGet({
          TransactItems: gets.map((Get) => ({ Get: { TableName, Key: key('a'), ...Get } })),
        }),
      ).then((error) => error.name);
    expect(await refusal({}, {})).toBe('ValidationException');
    expect(await refusal({ TableName: 'Nowhere' })).toBe('ResourceNotFoundException');
    expect(await refusal({ Key: { PK: 'USER#1' } })).toBe('TransactionCanceledException');
  });
});

it('remembers a request token for ten minutes, also over a sweep', async () => {
  let now = Date.UTC(2027, 0, 1);
  await useEmbedded({ now: () => now, sweepSeconds: 0.01 }, async (tables) => {
    const TableName = await tables.create();
    const add = () =>
      tables.documents.transactWrite({
        ClientRequestToken: 'the-token',
        TransactItems: [
          {
            Update: {
              TableName,
              Key: key('counter'),
              UpdateExpression: 'ADD n :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ],
      });
    const count = async () =>
      (await tables.documents.get({ TableName, Key: key('counter') })).Item?.n;

    await add();
    now += 10 * 60 * 1000 - 1;
    await add();
    expect(await count()).toBe(1);
    now += 1;
    await add();
    expect(await count()).toBe(2);
  });
});
