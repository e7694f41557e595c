import { GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { StoredItem, UpSteps } from '#lib/table/data-steps.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { wasWritten } from '#lib/table/writes.ts';
import { tableForEach } from '../engines/use-table.ts';

/**
 * A change that old code cannot read, in the three releases that it takes (docs/data-model.md), on a
 * type of item that is here alone: a note had its words in one text, and has them in a list.
 */
const key = { PK: 'NOTE#1', SK: 'NOTE' };

interface Note {
  readonly words: readonly string[];
  readonly readBy: number;
}

const inText = (text: string, readBy = 0) => ({
  ...key,
  type: 'note',
  schema_version: 1,
  text,
  read_by: readBy,
});

const splitWords = ({ text, ...item }: StoredItem): StoredItem => ({
  ...item,
  words: String(text).split(' '),
});

const steps: UpSteps = new Map([['note', [splitWords]]]);

const FirstNote = v.object({
  type: v.literal('note'),
  schema_version: v.literal(1),
  text: v.string(),
  read_by: v.number(),
});

const SecondNote = v.object({
  type: v.literal('note'),
  schema_version: v.literal(2),
  words: v.array(v.string()),
  read_by: v.number(),
});

function noteFromItem(stored: unknown): Note {
  const { words, read_by: readBy } = parseItem(SecondNote, stored, steps);
  return { words, readBy };
}

const table = tableForEach();

const put = (Item: StoredItem) =>
  table.client.send(new PutCommand({ TableName: table.name, Item: { ...Item } }));

async function read(): Promise<StoredItem | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item;
}

/** The first release, from before anybody thought of the second version. */
const release1 = {
  read: async () => parseItem(FirstNote, await read(), new Map()),
};

/** Reads both versions. It writes the first, and of what is there only what both have alike. */
const release2 = {
  write: ({ words, readBy }: Note) => put(inText(words.join(' '), readBy)),
  read: async () => noteFromItem(await read()),
  countReader: () =>
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: key,
        UpdateExpression: 'ADD read_by :one',
        ExpressionAttributeValues: { ':one': 1 },
      }),
    ),
};

/** Writes the second version, and brings up what it changes. */
const release3 = {
  read: release2.read,
  async addWord(word: string, meanwhile = async () => undefined as unknown): Promise<boolean> {
    const stored = await read();
    const { words } = noteFromItem(stored);
    await meanwhile();
    return wasWritten(
      table.client.send(
        new UpdateCommand({
          TableName: table.name,
          Key: key,
          UpdateExpression: 'SET words = :words, schema_version = :newest REMOVE #text',
          // Another process may have brought it up since.
          ConditionExpression: 'schema_version = :seen',
          ExpressionAttributeNames: { '#text': 'text' },
          ExpressionAttributeValues: {
            ':words': [...words, word],
            ':newest': 2,
            ':seen': stored?.schema_version,
          },
        }),
      ),
    );
  },
};

describe('an item of the previous version', () => {
  it('is read by the new code, and written back as one of the new version', async () => {
    await put(inText('to be', 3));
    expect(await release3.read()).toEqual({ words: ['to', 'be'], readBy: 3 });
    expect(await release3.addWord('or')).toBe(true);
    expect(await read()).toEqual({
      ...key,
      type: 'note',
      schema_version: 2,
      words: ['to', 'be', 'or'],
      read_by: 3,
    });
    expect(await release3.read()).toEqual({ words: ['to', 'be', 'or'], readBy: 3 });
  });

  it('is not written back over one that was brought up meanwhile', async () => {
    await put(inText('to be'));
    expect(await release3.addWord('or', () => release3.addWord('not'))).toBe(false);
    expect(await release3.read()).toMatchObject({ words: ['to', 'be', 'not'] });
  });

  it('goes through every step that there is, in their order', () => {
    const count: UpSteps = new Map([
      ['note', [splitWords, (item) => ({ ...item, count: Object(item).words.length })]],
    ]);
    const Third = v.object({ schema_version: v.literal(3), count: v.number() });
    const second = { type: 'note', schema_version: 2, words: ['one'] };
    expect(parseItem(Third, inText('to be or'), count)).toEqual({ schema_version: 3, count: 3 });
    expect(parseItem(Third, second, count)).toEqual({ schema_version: 3, count: 1 });
    expect(parseItem(Third, { ...second, schema_version: 3, count: 9 }, count).count).toBe(9);
  });
});

describe('releases side by side', () => {
  it('read what the other writes, if the first of them reads both versions', async () => {
    await release2.write({ words: ['to'], readBy: 0 });
    expect(await release1.read()).toMatchObject({ text: 'to' });
    await release3.addWord('be');
    expect(await release2.read()).toEqual({ words: ['to', 'be'], readBy: 0 });
    await release2.countReader();
    expect(await release3.read()).toEqual({ words: ['to', 'be'], readBy: 1 });
  });

  it('must not be further apart: what is too new is told of as that', async () => {
    await put(inText('to'));
    await release3.addWord('be');
    await expect(release1.read()).rejects.toThrow(
      'version 2 of note was written by a later release, this one reads up to 1',
    );
  });
});
