import { DescribeTableCommand, UpdateTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import type { DataStep, StoredItem } from '#lib/table/data-steps.ts';
import { createRewriter } from '#lib/table/rewrite-items.ts';
import { engines } from '../engines/engines.ts';
import { tableForEach } from '../engines/use-table.ts';

/**
 * A new index in the releases that it takes (docs/updating.md), on a type of item that is here alone:
 * notes are to be found by their author. The embedded table has no UpdateTable.
 */
const engine = engines.find(({ name }) => name === 'DynamoDB Local');

const indexName = 'notes';

/** The last release that knows nothing of the index. */
const first = (id: number): StoredItem => ({
  PK: `NOTE#${id}`,
  SK: 'NOTE',
  type: 'note',
  schema_version: 1,
  author: id % 2 === 0 ? 'ada' : 'grace',
  read_by: 0,
});

const addKey = (note: StoredItem): StoredItem => ({
  ...note,
  notes: `NOTES#${note.author}`,
  note_key: String(note.PK),
});

/** The release that brings the index gives its key to what it writes, and reads both versions. */
const second = (id: number) => addKey(first(id));

/** The release after it brings all others up. */
const step: DataStep = {
  number: 99,
  since: '9.9.9',
  brings: 'notes by author',
  rewrites: { type: 'note', in: ['users'], up: addKey },
};

describe.skipIf(!engine?.available)('a new index on a table in use', () => {
  const table = tableForEach(engine);

  const put = (Item: StoredItem) =>
    table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item } }));

  const note = (id: number) =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK: `NOTE#${id}`, SK: 'NOTE' },
        UpdateExpression: 'ADD read_by :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    );

  async function findBy(author: string): Promise<number[]> {
    const found: number[] = [];
    let after: Record<string, unknown> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: indexName,
          KeyConditionExpression: 'notes = :author',
          ExpressionAttributeValues: { ':author': `NOTES#${author}` },
          ExclusiveStartKey: after,
        }),
      );
      found.push(...Items.map(({ PK }) => Number(String(PK).slice('NOTE#'.length))));
      after = LastEvaluatedKey;
    } while (after);
    return found.toSorted((one, other) => one - other);
  }

  /** As CloudFormation does with a changed `globalIndexes`. */
  const addIndexes = (...names: readonly string[]) =>
    table.client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: ['notes', 'note_key'].map((AttributeName) => ({
          AttributeName,
          AttributeType: 'S',
        })),
        GlobalSecondaryIndexUpdates: names.map((IndexName) => ({
          Create: {
            IndexName,
            KeySchema: [
              { AttributeName: 'notes', KeyType: 'HASH' },
              { AttributeName: 'note_key', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'KEYS_ONLY' },
          },
        })),
      }),
    );

  const listIndexes = async () => {
    const { Table } = await table.client.send(new DescribeTableCommand({ TableName: table.name }));
    return new Map(
      Table?.GlobalSecondaryIndexes?.map(({ IndexName, IndexStatus }) => [IndexName, IndexStatus]),
    );
  };

  it('takes one new index in an update, and keeps those it has', async () => {
    const before = await listIndexes();
    await expect(addIndexes(indexName, 'another')).rejects.toThrow(/index|limit|one/i);
    expect(await listIndexes()).toEqual(before);
    await addIndexes(indexName);
    await vi.waitFor(async () =>
      expect(await listIndexes()).toEqual(new Map([...before, [indexName, 'ACTIVE']])),
    );
  });

  it('finds everything once older items have its key, while the service goes on writing', async () => {
    const older = Array.from({ length: 230 }, (_, id) => id);
    await Promise.all(older.map((id) => put(first(id))));
    await addIndexes(indexName);
    await vi.waitFor(async () => expect((await listIndexes()).get(indexName)).toBe('ACTIVE'));
    // Nothing that was there before has the key.
    expect(await findBy('ada')).toEqual([]);

    let isOver = false;
    let next = 1000;
    const reads = new Map<number, number>();
    const write = async () => {
      for (let turn = 0; !isOver; turn += 1) {
        const id = (turn * 7) % older.length;
        await note(id);
        reads.set(id, (reads.get(id) ?? 0) + 1);
        await put(second(next));
        next += 1;
      }
    };
    const writing = write();
    await createRewriter(table, [step])({ isOver: () => false });
    isOver = true;
    await writing;

    const all = [...older, ...Array.from({ length: next - 1000 }, (_, place) => 1000 + place)];
    await vi.waitFor(async () => {
      expect(await findBy('ada')).toEqual(all.filter((id) => id % 2 === 0));
      expect(await findBy('grace')).toEqual(all.filter((id) => id % 2 === 1));
    });
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: { PK: 'NOTE#7', SK: 'NOTE' } }),
    );
    expect(Item).toMatchObject({ schema_version: 2, read_by: reads.get(7) ?? 0 });
  });

  it('misses what the release before it writes behind the rewrite, so that one must be gone', async () => {
    await put(first(2));
    await addIndexes(indexName);
    await vi.waitFor(async () => expect((await listIndexes()).get(indexName)).toBe('ACTIVE'));
    const rewrite = createRewriter(table, [step]);
    await rewrite({ isOver: () => false });
    await put(first(4));
    await put(second(6));
    await rewrite({ isOver: () => false });
    await vi.waitFor(async () => expect(await findBy('ada')).toEqual([2, 6]));
  });
});
