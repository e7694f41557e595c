import {
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, expect, it } from 'vitest';
import { errorOf } from '../engines/open-tables.ts';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });
const showOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

onEveryEngine('conditions on $name', ({ start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeAll(async () => {
    TableName = await tables.create();
  });

  const failing = { ConditionExpression: 'attribute_exists(nothing)' };
  const attempts = {
    put: (SK: string, more: object) =>
      tables.documents.put({ TableName, Item: key(SK), ...failing, ...more }),
    update: (SK: string, more: object) =>
      tables.documents.update({
        TableName,
        Key: key(SK),
        UpdateExpression: 'SET a = SK',
        ...failing,
        ...more,
      }),
    delete: (SK: string, more: object) =>
      tables.documents.delete({ TableName, Key: key(SK), ...failing, ...more }),
  };

  it.each(Object.entries(attempts))(
    'a refused %s shows the item where asked, and only there',
    async (_name, attempt) => {
      const item = { ...key('there'), n: 1, list: ['x', { y: true }] };
      await tables.documents.put({ TableName, Item: item });
      const itemOf = async (SK: string, more: object) =>
        (await errorOf(ConditionalCheckFailedException, attempt(SK, more))).Item;

      expect(await itemOf('there', showOld)).toEqual({
        PK: { S: 'USER#1' },
        SK: { S: 'there' },
        n: { N: '1' },
        list: { L: [{ S: 'x' }, { M: { y: { BOOL: true } } }] },
      });
      const showNothing = { ReturnValuesOnConditionCheckFailure: 'NONE' };
      expect(await itemOf('there', showNothing)).toBeUndefined();
      expect(await itemOf('there', {})).toBeUndefined();
      expect(await itemOf('absent', showOld)).toBeUndefined();
      const { Item } = await tables.documents.get({ TableName, Key: key('there') });
      expect(Item).toEqual(item);
    },
  );

  const item = {
    ...key('item'),
    n: 5,
    m: 5,
    text: 'abc',
    empty: '',
    off: false,
    tags: new Set(['a', 'b']),
    list: [1, 2],
  };
  const values = {
    ':five': 5,
    ':six': 6,
    ':no': false,
    ':yes': true,
    ':empty': '',
    ':part': 'ab',
    ':text': 'abc',
    ':tags': new Set(['b', 'a']),
    ':two': 2,
  };
  const usedIn = (expression: string) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => expression.includes(name)));

  it.each([
    ['n = :five', true],
    ['n <> :five', false],
    ['n >= m AND m >= n', true],
    ['n < :six AND NOT n > :six', true],
    ['n BETWEEN :two AND :six', true],
    ['n = :text', false],
    ['n IN (:two, :five)', true],
    ['n IN (:two, :six)', false],
    ['off = :no', true],
    ['off IN (:yes, :no)', true],
    ['off IN (:yes)', false],
    ['#empty IN (:empty)', true],
    ['gone IN (:empty, :no)', false],
    ['gone = absent', false],
    ['gone <= absent', false],
    ['NOT gone <= absent', true],
    ['gone = :five OR n = m', true],
    ['gone <> :five', true],
    ['gone < :five', false],
    [':five = n', true],
    ['tags = :tags', true],
    ['contains(tags, :part) OR contains(#text, :part)', true],
    ['begins_with(#text, :part) AND size(#text) > :two', true],
    ['size(#list) = :two', true],
    ['attribute_exists(#list[1]) AND attribute_not_exists(#list[2])', true],
  ])('%s is %s', async (ConditionExpression, holds) => {
    await tables.documents.put({ TableName, Item: item });
    const names = { '#empty': 'empty', '#text': 'text', '#list': 'list' };
    const ExpressionAttributeNames = Object.fromEntries(
      Object.entries(names).filter(([placeholder]) => ConditionExpression.includes(placeholder)),
    );
    const ExpressionAttributeValues = usedIn(ConditionExpression);
    const outcome = await tables.documents
      .delete({
        TableName,
        Key: key('item'),
        ConditionExpression,
        ...(Object.keys(ExpressionAttributeNames).length > 0 && { ExpressionAttributeNames }),
        ...(Object.keys(ExpressionAttributeValues).length > 0 && { ExpressionAttributeValues }),
      })
      .then(
        () => true,
        (error: Error) => (error.name === 'ConditionalCheckFailedException' ? false : error),
      );
    expect(outcome).toBe(holds);
  });

  it('refuses an empty text as the key of an index', async () => {
    const error = await errorOf(
      DynamoDBServiceException,
      tables.documents.put({ TableName, Item: { ...key('sparse'), dueShard: '', due: 1 } }),
    );
    expect(error.name).toBe('ValidationException');
    expect(error.message).toContain('cannot contain an empty string value');
    expect((await tables.documents.get({ TableName, Key: key('sparse') })).Item).toBeUndefined();
  });

  it('finds by the beginning of a key what begins so, and nothing that stands behind', async () => {
    const PK = 'PREFIXES';
    const keys = ['JOB#', 'JOB#a', 'JOB#\u{10ffff}', 'JOB$', 'JOB$a', 'JOB'];
    for (const SK of keys) await tables.documents.put({ TableName, Item: { PK, SK } });
    const { Items = [] } = await tables.documents.query({
      TableName,
      KeyConditionExpression: 'PK = :pk AND begins_with(SK, :prefix)',
      ExpressionAttributeValues: { ':pk': PK, ':prefix': 'JOB#' },
    });
    expect(Items.map(({ SK }) => SK)).toEqual(keys.slice(0, 3));
  });

  it('stores numbers of 38 digits exactly, and refuses one more', async () => {
    const number = (digits: string) =>
      tables.client.send(
        new PutItemCommand({
          TableName,
          Item: { PK: { S: 'NUMBERS' }, SK: { S: 'n' }, n: { N: digits } },
        }),
      );
    await number(`${'1'.repeat(38)}00`);
    const Key = { PK: { S: 'NUMBERS' }, SK: { S: 'n' } };
    const { Item } = await tables.client.send(new GetItemCommand({ TableName, Key }));
    expect(Item?.n).toEqual({ N: `${'1'.repeat(38)}00` });
    const error = await errorOf(DynamoDBServiceException, number('1'.repeat(39)));
    // AWS and DynamoDB Local word it differently.
    expect(error.message).toMatch(/38 (significant )?digits/);
  });

  it('orders text by its bytes, also beyond the first 65,536 characters', async () => {
    const [before, behind] = ['\uffff', '\u{1f600}'];
    const PK = 'TEXTS';
    for (const SK of [behind, before]) {
      await tables.documents.put({ TableName, Item: { PK, SK, text: SK } });
    }
    const query = { TableName, KeyConditionExpression: 'PK = :pk' };
    const { Items = [] } = await tables.documents.query({
      ...query,
      ExpressionAttributeValues: { ':pk': PK },
    });
    expect(Items.map(({ SK }) => SK)).toEqual([before, behind]);
    const { Items: later = [] } = await tables.documents.query({
      ...query,
      FilterExpression: '#text > :before',
      ExpressionAttributeNames: { '#text': 'text' },
      ExpressionAttributeValues: { ':pk': PK, ':before': before },
    });
    expect(later.map(({ SK }) => SK)).toEqual([behind]);
  });
});
