import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedDynamoDb } from '#local/dynamodb/embedded-dynamodb.ts';
import { type Engine, engines } from '../engines/engines.ts';
import { retryConflicts } from '../engines/open-tables.ts';
import { useTables } from '../engines/use-tables.ts';

const key = (SK: string) => ({ PK: 'USER#1', SK });
const partition = {
  ConsistentRead: true,
  KeyConditionExpression: 'PK = :user',
  ExpressionAttributeValues: { ':user': 'USER#1' },
};

// In memory a commit is done within the turn that began it. On the disk it takes its time.
const onDisk: Engine = {
  name: 'embedded, on the disk',
  available: true,
  async start() {
    const path = mkdtempSync(join(tmpdir(), 'embedded-dynamodb-'));
    const { endpoint, close } = await startEmbeddedDynamoDb({ path });
    return {
      endpoint,
      close: async () => {
        await close();
        rmSync(path, { recursive: true });
      },
    };
  },
};
const available = [...engines, onDisk].filter((engine) => engine.available);

describe.each(available)('at once on $name', ({ start }) => {
  const tables = useTables(start);
  let TableName: string;
  beforeEach(async () => {
    TableName = await tables.create();
  });

  const addOne = (SK: string) => ({
    TableName,
    Key: key(SK),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': 1 },
  });
  const times = <T>(count: number, task: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, i) => task(i)));

  it('adds exactly, with 80 single and 20 transactional additions mixed', async () => {
    const addInTransaction = async () => {
      await tables.documents.transactWrite({ TransactItems: [{ Update: addOne('counter') }] });
    };
    const addAlone = async () => {
      await tables.documents.update(addOne('counter'));
    };
    await times(100, (i) => retryConflicts(i % 5 === 0 ? addInTransaction : addAlone));
    const { Item } = await tables.documents.get({
      TableName,
      Key: key('counter'),
      ConsistentRead: true,
    });
    expect(Item?.n).toBe(100);
  });

  it('lets 40 of 100 transactions take from a stock of 40', async () => {
    await tables.documents.put({ TableName, Item: { ...key('stock'), n: 40 } });

    const outcomes = await times(100, (id) =>
      retryConflicts(() =>
        tables.documents.transactWrite({
          TransactItems: [
            {
              Update: {
                TableName,
                Key: key('stock'),
                UpdateExpression: 'SET n = n - :one',
                ConditionExpression: 'n >= :one',
                ExpressionAttributeValues: { ':one': 1 },
              },
            },
            { Put: { TableName, Item: { ...key(`receipt-${id}`), id } } },
          ],
        }),
      ).then(
        () => 'taken',
        (error: unknown) => {
          if (!(error instanceof TransactionCanceledException)) throw error;
          return error.CancellationReasons?.map(({ Code }) => Code).join();
        },
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(40);
    expect(outcomes.filter((outcome) => outcome === 'ConditionalCheckFailed,None')).toHaveLength(
      60,
    );
    const stock = await tables.documents.get({
      TableName,
      Key: key('stock'),
      ConsistentRead: true,
    });
    expect(stock.Item?.n).toBe(0);
    const receipts = await tables.documents.query({ TableName, IndexName: 'ById', ...partition });
    const taken = outcomes.flatMap((outcome, id) => (outcome === 'taken' ? [id] : []));
    expect(receipts.Items?.map(({ id }) => id)).toEqual(taken);
  });

  it('lets one of many creations of an item win', async () => {
    const outcomes = await times(30, (n) =>
      retryConflicts(() =>
        tables.documents.transactWrite({
          TransactItems: [
            {
              Put: {
                TableName,
                Item: { ...key('one'), n },
                ConditionExpression: 'attribute_not_exists(PK)',
              },
            },
          ],
        }),
      ).then(
        () => n,
        () => undefined,
      ),
    );
    const winners = outcomes.filter((n) => n !== undefined);
    expect(winners).toHaveLength(1);
    const { Item } = await tables.documents.get({ TableName, Key: key('one') });
    expect(Item?.n).toBe(winners[0]);
  });

  it('never shows a reader half of a transaction', async () => {
    const parts = Array.from({ length: 12 }, (_, i) => `part-${i}`);
    // Every third one deletes what the others write.
    const write = (n: number) =>
      retryConflicts(() =>
        tables.documents.transactWrite({
          TransactItems: parts.map((SK, i) =>
            n % 3 === 2
              ? { Delete: { TableName, Key: key(SK) } }
              : { Put: { TableName, Item: { ...key(SK), n, id: n * i, stage: `S${n * i}` } } },
          ),
        }),
      );
    const query = async (more: object) =>
      (await tables.documents.query({ TableName, ...partition, ...more })).Items;

    const seen = await readWhileWriting(40, write, [
      async () => {
        const TransactItems = parts.map((SK) => ({ Get: { TableName, Key: key(SK) } }));
        const { Responses } = await retryConflicts(() =>
          tables.documents.transactGet({ TransactItems }),
        );
        return Responses?.flatMap(({ Item }) => (Item ? [Item] : []));
      },
      () => query({}),
      () => query({ IndexName: 'ById' }),
      // This index holds keys only: the items behind it are fetched one by one.
      () => query({ IndexName: 'ByStage', Select: 'ALL_ATTRIBUTES' }),
    ]);

    for (const items of seen) {
      expect([0, parts.length]).toContain(items.length);
      expect(new Set(items.map(({ n }) => n)).size).toBeLessThanOrEqual(1);
    }
    // Otherwise the readers looked before and after only.
    expect(new Set(seen.map(([first]) => first?.n)).size).toBeGreaterThan(2);
  });

  it('never shows an entry that moves in an index twice, or not at all', async () => {
    // Up and down, so that it moves against the reading too.
    const write = (n: number) =>
      tables.documents.put({ TableName, Item: { ...key('moving'), id: n * (-1) ** n } });
    const read = async () =>
      (await tables.documents.query({ TableName, IndexName: 'ById', ...partition })).Items;
    const seen = await readWhileWriting(60, write, [read, read, read]);

    for (const items of seen) expect(items).toHaveLength(1);
    expect(new Set(seen.map(([first]) => first?.id)).size).toBeGreaterThan(2);
  });
});

type Items = Record<string, unknown>[];

/** What the readers saw, who read again and again while one writer wrote so many times. */
async function readWhileWriting(
  count: number,
  write: (n: number) => Promise<unknown>,
  readers: (() => Promise<Items | undefined>)[],
): Promise<Items[]> {
  await write(0);
  const seen: Items[] = [];
  let isWriting = true;
  const writeAll = async () => {
    try {
      for (let n = 1; n <= count; n += 1) await write(n);
    } finally {
      isWriting = false;
    }
  };
  const readOn = async (read: () => Promise<Items | undefined>) => {
    while (isWriting) seen.push((await read()) ?? []);
  };
  const outcomes = await Promise.allSettled([writeAll(), ...readers.map(readOn)]);
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return seen;
}
