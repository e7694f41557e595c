import type { QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it } from 'vitest';
import { onEveryEngine } from '../engines/use-table.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });

onEveryEngine('indexes on $name', ({ start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeEach(async () => {
    TableName = await tables.create();
  });

  const equals = (attribute: string, value: string) => ({
    KeyConditionExpression: '#hash = :hash',
    ExpressionAttributeNames: { '#hash': attribute },
    ExpressionAttributeValues: { ':hash': value },
  });
  const localIndex = (IndexName: string) => ({
    IndexName,
    ConsistentRead: true,
    ...equals('PK', 'USER#1'),
  });
  const keysIn = async (query: Omit<QueryCommandInput, 'TableName'>) =>
    (await tables.documents.query({ TableName, ...query })).Items?.map(({ SK }) => SK);

  /** Page by page, as a list is read. */
  const keysByPage = async (query: Omit<QueryCommandInput, 'TableName'>) => {
    const pages: unknown[][] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await tables.documents.query({ TableName, ...query, ExclusiveStartKey });
      pages.push(page.Items?.map(({ SK }) => SK) ?? []);
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    return pages;
  };

  it('shows transactional writes, moves and deletions in local indexes at once', async () => {
    const put = (SK: string, id: number, stage: string) => ({
      Put: { TableName, Item: { ...key(SK), id, stage } },
    });
    await tables.documents.transactWrite({
      TransactItems: [put('a', 3, 'QUEUED'), put('b', 1, 'RUNNING'), put('c', 2, 'QUEUED')],
    });
    expect(await keysIn(localIndex('ById'))).toEqual(['b', 'c', 'a']);
    expect(await keysIn(localIndex('ByStage'))).toHaveLength(3);

    await tables.documents.transactWrite({
      TransactItems: [
        { Delete: { TableName, Key: key('b') } },
        {
          Update: {
            TableName,
            Key: key('a'),
            UpdateExpression: 'SET id = :id, stage = :stage',
            ExpressionAttributeValues: { ':id': 0, ':stage': 'FAILED' },
          },
        },
        put('c', 2, 'RUNNING'),
      ],
    });
    expect(await keysIn(localIndex('ById'))).toEqual(['a', 'c']);
    expect(await keysIn(localIndex('ByStage'))).toEqual(['a', 'c']);
    const all = { ...localIndex('ByStage'), Select: 'ALL_ATTRIBUTES' } as const;
    expect((await tables.documents.query({ TableName, ...all })).Items).toEqual([
      { ...key('a'), id: 0, stage: 'FAILED' },
      { ...key('c'), id: 2, stage: 'RUNNING' },
    ]);
  });

  it('keeps in a sparse index only what has its keys', async () => {
    const due = { IndexName: 'ByDue', ...equals('dueShard', 'DUE#1') };
    await tables.documents.transactWrite({
      TransactItems: [
        { Put: { TableName, Item: { ...key('late'), dueShard: 'DUE#1', due: 20 } } },
        { Put: { TableName, Item: { ...key('soon'), dueShard: 'DUE#1', due: 10.5 } } },
        { Put: { TableName, Item: { ...key('never'), dueShard: 'DUE#1' } } },
        { Put: { TableName, Item: { ...key('other'), dueShard: 'DUE#2', due: 1 } } },
      ],
    });
    expect(await keysIn(due)).toEqual(['soon', 'late']);

    await tables.documents.transactWrite({
      TransactItems: [
        {
          Update: {
            TableName,
            Key: key('soon'),
            UpdateExpression: 'REMOVE dueShard, due',
          },
        },
        {
          Update: {
            TableName,
            Key: key('never'),
            UpdateExpression: 'SET due = :due',
            ExpressionAttributeValues: { ':due': 15 },
          },
        },
      ],
    });
    expect(await keysIn(due)).toEqual(['never', 'late']);
    await tables.documents.delete({ TableName, Key: key('late') });
    expect(await keysIn(due)).toEqual(['never']);
  });

  it('projects keys and named attributes only', async () => {
    const item = { ...key('a'), projectName: 'P1', title: 'T', note: 'N' };
    await tables.documents.put({ TableName, Item: item });
    const { Items } = await tables.documents.query({
      TableName,
      IndexName: 'ByProject',
      ...equals('projectName', 'P1'),
    });
    expect(Items).toEqual([{ ...key('a'), projectName: 'P1', title: 'T' }]);
  });

  const batchesOf25 = (count: number, item: (i: number) => object) =>
    Promise.all(
      Array.from({ length: count / 25 }, (_, batch) =>
        tables.documents.batchWrite({
          RequestItems: {
            [TableName]: Array.from({ length: 25 }, (_, i) => ({
              PutRequest: { Item: item(batch * 25 + i) },
            })),
          },
        }),
      ),
    );

  it('pages through a local index in both directions, complete and without repetition', async () => {
    await batchesOf25(100, (id) => ({ ...key(`job-${id}`), id }));
    const ascending = Array.from({ length: 100 }, (_, id) => `job-${id}`);
    const pages = await keysByPage({ ...localIndex('ById'), Limit: 30 });
    expect(pages.map((page) => page.length)).toEqual([30, 30, 30, 10]);
    expect(pages.flat()).toEqual(ascending);
    const back = await keysByPage({ ...localIndex('ById'), Limit: 30, ScanIndexForward: false });
    expect(back.flat()).toEqual(ascending.toReversed());
    const range = await keysIn({
      IndexName: 'ById',
      ConsistentRead: true,
      KeyConditionExpression: 'PK = :user AND id BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':user': 'USER#1', ':from': 9, ':to': 11 },
    });
    expect(range).toEqual(['job-9', 'job-10', 'job-11']);
  });

  it('pages through many items with one and the same index key', async () => {
    await batchesOf25(100, (i) => ({ ...key(`job-${i}`), dueShard: 'DUE#1', due: 1 }));
    const all = Array.from({ length: 100 }, (_, i) => `job-${i}`).sort();
    for (const ScanIndexForward of [true, false]) {
      const pages = await keysByPage({
        IndexName: 'ByDue',
        ...equals('dueShard', 'DUE#1'),
        Limit: 7,
        ScanIndexForward,
      });
      expect(pages.flat().sort()).toEqual(all);
    }
    const scanned: unknown[] = [];
    let ExclusiveStartKey: Record<string, unknown> | undefined;
    do {
      const page = await tables.documents.scan({
        TableName,
        IndexName: 'ByDue',
        Limit: 7,
        ExclusiveStartKey,
      });
      scanned.push(...(page.Items ?? []).map(({ SK }) => SK));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey);
    expect(scanned.sort()).toEqual(all);
  });

  it('keeps two items apart that have one and the same index key', async () => {
    const alike = ['job-398', 'job-6864'];
    const inProject = { IndexName: 'ByProject', ...equals('projectName', 'P1') };
    for (const SK of alike) {
      await tables.documents.put({ TableName, Item: { ...key(SK), projectName: 'P1' } });
    }
    expect((await keysIn(inProject))?.sort()).toEqual(alike);
    expect((await keysByPage({ ...inProject, Limit: 1 })).flat().sort()).toEqual(alike);
    await tables.documents.delete({ TableName, Key: key('job-398') });
    expect(await keysIn(inProject)).toEqual(['job-6864']);
  });
});
