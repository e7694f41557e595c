import { DynamoDBServiceException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { errorOf } from '../engines/open-tables.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });
const ifAbsent = 'attribute_not_exists(PK)';
const ifPresent = 'attribute_exists(PK)';

onEveryEngine('transactions on $name', ({ name, start }) => {
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

  it('does a put, an update and a deletion when their conditions and the check hold', async () => {
    await tables.documents.put({ TableName, Item: { ...key('counter'), n: 1 } });
    await tables.documents.put({ TableName, Item: key('old') });
    await tables.documents.put({ TableName, Item: { ...key('guard'), open: true } });

    const answer = await tables.documents.transactWrite({
      TransactItems: [
        put('new', { n: 7 }, { ConditionExpression: ifAbsent }),
        addOne('counter'),
        { Delete: { TableName, Key: key('old'), ConditionExpression: ifPresent } },
        {
          ConditionCheck: {
            TableName,
            Key: key('guard'),
            ConditionExpression: '#open = :yes',
            ExpressionAttributeNames: { '#open': 'open' },
            ExpressionAttributeValues: { ':yes': true },
          },
        },
      ],
    });

    expect(answer.ConsumedCapacity).toBeUndefined();
    expect(await read('new')).toEqual({ ...key('new'), n: 7 });
    expect(await read('counter')).toEqual({ ...key('counter'), n: 2 });
    expect(await read('old')).toBeUndefined();
    expect(await read('guard')).toEqual({ ...key('guard'), open: true });
  });

  it('writes nothing when one condition fails, and says which, with the item where asked', async () => {
    await tables.documents.put({ TableName, Item: { ...key('taken'), owner: 'someone' } });
    await tables.documents.put({ TableName, Item: { ...key('quiet'), secret: 'x' } });

    const error = await errorOf(
      TransactionCanceledException,
      tables.documents.transactWrite({
        TransactItems: [
          put('new'),
          put(
            'taken',
            {},
            {
              ConditionExpression: ifAbsent,
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
            },
          ),
          addOne('counter'),
          put('quiet', {}, { ConditionExpression: ifAbsent }),
        ],
      }),
    );

    expect(error.message).toBe(
      'Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[None, ConditionalCheckFailed, None, ConditionalCheckFailed]',
    );
    expect(error.CancellationReasons).toEqual([
      { Code: 'None' },
      {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        Item: { PK: { S: 'USER#1' }, SK: { S: 'taken' }, owner: { S: 'someone' } },
      },
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ]);
    expect(await read('new')).toBeUndefined();
    expect(await read('counter')).toBeUndefined();
    expect(await read('taken')).toEqual({ ...key('taken'), owner: 'someone' });
  });

  it.each([
    ['a check', { ConditionCheck: {} }],
    ['a deletion', { Delete: {} }],
    ['an update', { Update: { UpdateExpression: 'SET a = SK' } }],
  ])('is cancelled by %s whose condition fails on an absent item', async (_kind, action) => {
    const [[kind, parameters]] = Object.entries(action) as [[string, object]];
    const error = await errorOf(
      TransactionCanceledException,
      tables.documents.transactWrite({
        TransactItems: [
          put('new'),
          {
            [kind]: {
              TableName,
              Key: key('absent'),
              ConditionExpression: ifPresent,
              ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
              ...parameters,
            },
          },
        ],
      }),
    );
    expect(error.CancellationReasons?.map(({ Code, Item }) => ({ Code, Item }))).toEqual([
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed' },
    ]);
    expect(await read('new')).toBeUndefined();
    expect(await read('absent')).toBeUndefined();
  });

  it('evaluates every condition on the state before the transaction', async () => {
    await errorOf(
      TransactionCanceledException,
      tables.documents.transactWrite({
        TransactItems: [
          put('first'),
          { ConditionCheck: { TableName, Key: key('second'), ConditionExpression: ifPresent } },
        ],
      }),
    );
    await tables.documents.transactWrite({
      TransactItems: [
        put('first', {}, { ConditionExpression: ifAbsent }),
        put('second', {}, { ConditionExpression: ifAbsent }),
      ],
    });
    expect(await read('second')).toEqual(key('second'));
  });

  it('spans tables, and refuses one that does not exist', async () => {
    const other = await tables.create();
    const inOther = { Put: { TableName: other, Item: key('there') } };
    await tables.documents.transactWrite({ TransactItems: [put('here'), inOther] });
    const found = await tables.documents.get({ TableName: other, Key: key('there') });
    expect(found.Item).toEqual(key('there'));

    const nowhere = { Put: { TableName: 'Nowhere', Item: key('x') } };
    const error = await errorOf(
      DynamoDBServiceException,
      tables.documents.transactWrite({ TransactItems: [put('late'), nowhere] }),
    );
    expect(error.name).toBe('ResourceNotFoundException');
    expect(await read('late')).toBeUndefined();
  });

  it('writes nothing when an update does not fit its item', async () => {
    const error = await errorOf(
      DynamoDBServiceException,
      tables.documents.transactWrite({
        TransactItems: [
          put('new'),
          {
            Update: {
              TableName,
              Key: key('absent'),
              UpdateExpression: 'SET n = lacking + :one',
              ExpressionAttributeValues: { ':one': 1 },
            },
          },
        ],
      }),
    );
    // DynamoDB Local answers a plain ValidationException; the service cancels, by position.
    if (name === 'embedded') {
      expect(error.message).toMatch(/specific reasons \[None, ValidationError\]$/);
    }
    expect(await read('new')).toBeUndefined();
  });
});
