import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from 'vitest';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });
const indexes = { ReturnConsumedCapacity: 'INDEXES' } as const;
const total = { ReturnConsumedCapacity: 'TOTAL' } as const;

/** Table, then each index: what an answer says was consumed. */
function unitsOf(capacity: ConsumedCapacity | ConsumedCapacity[] | undefined) {
  const one = Array.isArray(capacity) ? capacity[0] : capacity;
  const named = (group: Record<string, { CapacityUnits?: number | undefined }> = {}) =>
    Object.fromEntries(Object.entries(group).map(([name, part]) => [name, part.CapacityUnits]));
  return {
    total: one?.CapacityUnits,
    table: one?.Table?.CapacityUnits,
    ...named(one?.LocalSecondaryIndexes),
    ...named(one?.GlobalSecondaryIndexes),
  };
}

onEveryEngine('consumed capacity on $name', ({ name, start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeAll(async () => {
    TableName = await tables.create();
  });

  const job = (SK: string, id: number) => ({ ...key(SK), id, stage: 'QUEUED', title: 'A title' });
  const dueJob = (SK: string, id: number) => ({ ...job(SK, id), dueShard: 'DUE#1', due: 5 });

  it('of GetItem: half a unit per 4 KB, a whole one when consistent, also for nothing', async () => {
    // 2 bytes a letter: 5,000 bytes.
    await tables.documents.put({ TableName, Item: { ...key('large'), text: 'é'.repeat(2500) } });
    await tables.documents.put({ TableName, Item: key('small') });
    const cost = async (SK: string, ConsistentRead: boolean) => {
      const { ConsumedCapacity } = await tables.documents.get({
        TableName,
        Key: key(SK),
        ConsistentRead,
        ...total,
      });
      return ConsumedCapacity;
    };
    expect(await cost('small', false)).toEqual({ TableName, CapacityUnits: 0.5 });
    expect(await cost('small', true)).toEqual({ TableName, CapacityUnits: 1 });
    expect(await cost('large', true)).toEqual({ TableName, CapacityUnits: 2 });
    expect(await cost('absent', true)).toEqual({ TableName, CapacityUnits: 1 });
  });

  it('of a page of 100 on a local index: the page, rounded up once', async () => {
    await Promise.all(
      Array.from({ length: 6 }, (_, batch) =>
        tables.documents.batchWrite({
          RequestItems: {
            [TableName]: Array.from({ length: 20 }, (_, i) => {
              const id = batch * 20 + i;
              const more = {
                PK: 'USER#2',
                nodes: id,
                runtime: 0.5,
                failed: false,
                ended: null,
                tags: new Set(['a', 'bc']),
                payload: { cores: -12.75, list: ['ü', 1767225600, true] },
              };
              return { PutRequest: { Item: { ...job(`job-${id}`, id), ...more } } };
            }),
          },
        }),
      ),
    );
    const cost = async (more: object) => {
      const { ConsumedCapacity, Count } = await tables.documents.query({
        TableName,
        Limit: 100,
        KeyConditionExpression: 'PK = :user',
        ExpressionAttributeValues: { ':user': 'USER#2' },
        ...indexes,
        ...more,
      });
      expect(Count).toBe(100);
      return unitsOf(ConsumedCapacity);
    };
    const byId = { IndexName: 'ById', ConsistentRead: true };
    expect(await cost({ ConsistentRead: true })).toEqual({ total: 3, table: 3 });
    expect(await cost(byId)).toEqual({ total: 3, table: 0, ById: 3 });
    expect(await cost({ ...byId, ConsistentRead: false })).toEqual({
      total: 1.5,
      table: 0,
      ById: 1.5,
    });
    expect(await cost({ ...byId, ProjectionExpression: 'id' })).toEqual({
      total: 3,
      table: 0,
      ById: 3,
    });
    const keysOnly = { IndexName: 'ByStage', ConsistentRead: true };
    expect(await cost(keysOnly)).toEqual({ total: 1, table: 0, ByStage: 1 });
    expect(await cost({ ...keysOnly, Select: 'ALL_ATTRIBUTES' })).toEqual({
      total: 101,
      table: 100,
      ByStage: 1,
    });
  });

  it('of nothing found: nothing', async () => {
    const { ConsumedCapacity } = await tables.documents.query({
      TableName,
      IndexName: 'ById',
      KeyConditionExpression: 'PK = :user',
      ExpressionAttributeValues: { ':user': 'NOBODY' },
      ...total,
    });
    expect(ConsumedCapacity).toEqual({ TableName, CapacityUnits: 0 });
  });

  describe.each([
    { of: 'a single write', factor: 1 },
    { of: 'a transaction', factor: 2 },
  ])('of $of', ({ factor }) => {
    const put = async (Item: object) =>
      factor === 1
        ? unitsOf((await tables.documents.put({ TableName, Item, ...indexes })).ConsumedCapacity)
        : transact({ Put: { TableName, Item } });
    const transact = async (action: object) =>
      unitsOf(
        (await tables.documents.transactWrite({ TransactItems: [action], ...indexes }))
          .ConsumedCapacity,
      );
    const update = async (SK: string, UpdateExpression: string, value: unknown) => {
      const parameters = {
        TableName,
        Key: key(SK),
        UpdateExpression,
        ExpressionAttributeValues: { ':value': value },
      };
      return factor === 1
        ? unitsOf((await tables.documents.update({ ...parameters, ...indexes })).ConsumedCapacity)
        : transact({ Update: parameters });
    };
    const remove = async (SK: string) => {
      const parameters = { TableName, Key: key(SK) };
      return factor === 1
        ? unitsOf((await tables.documents.delete({ ...parameters, ...indexes })).ConsumedCapacity)
        : transact({ Delete: parameters });
    };
    const times = (units: Record<string, number>) =>
      Object.fromEntries(Object.entries(units).map(([part, count]) => [part, count * factor]));

    it('the item and every index entry that changes', async () => {
      const SK = `job-of-${factor}`;
      expect(await put(key(SK))).toEqual(times({ total: 1, table: 1 }));
      const everywhere = { total: 4, table: 1, ById: 1, ByStage: 1, ByDue: 1 };
      expect(await put(dueJob(SK, 1))).toEqual(times(everywhere));
      // Written again as it is: no index has anything to do.
      expect(await put(dueJob(SK, 1))).toEqual(times({ total: 1, table: 1 }));
      // ByStage holds keys only, and stays as it is.
      expect(await update(SK, 'SET title = :value', 'Another')).toEqual(
        times({ total: 3, table: 1, ById: 1, ByDue: 1 }),
      );
      // A moved entry is deleted and written.
      expect(await update(SK, 'SET id = :value REMOVE dueShard', 2)).toEqual(
        times({ total: 4, table: 1, ById: 2, ByDue: 1 }),
      );
      expect(await remove(SK)).toEqual(times({ total: 3, table: 1, ById: 1, ByStage: 1 }));
    });

    it('a unit per KB, of the larger of the item before and after', async () => {
      const SK = `large-of-${factor}`;
      const large = { ...key(SK), id: 1, text: 'x'.repeat(3000) };
      // 3,021 bytes; an index entry counts 100 more.
      expect(await put(large)).toEqual(times({ total: 7, table: 3, ById: 4 }));
      expect(await put({ ...large, text: 'x' })).toEqual(times({ total: 7, table: 3, ById: 4 }));
    });
  });

  it('of a condition check: twice a read', async () => {
    await tables.documents.put({ TableName, Item: { ...key('9K'), text: 'x'.repeat(9000) } });
    const { ConsumedCapacity } = await tables.documents.transactWrite({
      TransactItems: [
        {
          ConditionCheck: {
            TableName,
            Key: key('9K'),
            ConditionExpression: 'attribute_exists(PK)',
          },
        },
      ],
      ...total,
    });
    expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 6 }]);
  });

  it('of getting in a transaction: twice a consistent read, each item for itself', async () => {
    await tables.documents.put({ TableName, Item: { ...key('5K'), text: 'x'.repeat(5000) } });
    const { ConsumedCapacity } = await tables.documents.transactGet({
      TransactItems: ['5K', 'absent'].map((SK) => ({ Get: { TableName, Key: key(SK) } })),
      ...total,
    });
    expect(ConsumedCapacity).toEqual([{ TableName, CapacityUnits: 6 }]);
  });

  it('of several writes in a transaction: each item for itself', async () => {
    const { ConsumedCapacity } = await tables.documents.transactWrite({
      TransactItems: [1, 2, 3].map((id) => ({
        Put: { TableName, Item: job(`several-${id}`, id) },
      })),
      ...indexes,
    });
    // The service writes every item twice, and rounds each up to a KB. DynamoDB Local adds their
    // bytes up first, and so reports less than will be charged.
    const each = { total: 18, table: 6, ById: 6, ByStage: 6 };
    const together = { total: 6, table: 2, ById: 2, ByStage: 2 };
    expect(unitsOf(ConsumedCapacity)).toEqual(name === 'embedded' ? each : together);
  });
});
