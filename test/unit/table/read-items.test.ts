import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TableBusyError } from '#lib/table/errors.ts';
import { profileKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import { openTable } from '#lib/table/table.ts';
import { userId } from '#test/fixtures/names.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);
const keys = ['1', '2', '3'].map(userId).map(profileKey);
const [first, second, third] = keys.map((key) => ({ ...key, type: 'profile' }));
const reading = { pause: async () => undefined };

beforeEach(() => mock.reset());
afterEach(() => vi.restoreAllMocks());

const asked = () =>
  mock
    .commandCalls(BatchGetCommand)
    .map(({ args: [{ input }] }) => input.RequestItems?.[tableName]?.Keys?.map(({ PK }) => PK));

describe('readItems', () => {
  it('answers in the order of the keys, without what is gone', async () => {
    mock.on(BatchGetCommand).resolves({ Responses: { [tableName]: [third!, first!] } });
    expect(await readItems(table, keys, reading)).toEqual([first, third]);
  });

  it('asks again for what the table left out, and for no more', async () => {
    mock
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { [tableName]: [second!] },
        UnprocessedKeys: { [tableName]: { Keys: [{ ...keys[0]! }, { ...keys[2]! }] } },
      })
      .resolves({ Responses: { [tableName]: [first!, third!] } });
    expect(await readItems(table, keys, reading)).toEqual([first, second, third]);
    expect(asked()).toEqual([
      ['USER#1', 'USER#2', 'USER#3'],
      ['USER#1', 'USER#3'],
    ]);
  });

  it('gives up where the table leaves it out every time, and waits longer and longer', async () => {
    const pauses: number[] = [];
    mock
      .on(BatchGetCommand)
      .resolves({ UnprocessedKeys: { [tableName]: { Keys: [{ ...keys[0]! }] } } });
    const pause = async (ms: number) => pauses.push(ms);
    vi.spyOn(Math, 'random').mockReturnValueOnce(1).mockReturnValueOnce(0.5).mockReturnValue(1);
    await expect(readItems(table, keys, { pause })).rejects.toThrow(TableBusyError);
    expect(asked()).toHaveLength(6);
    expect(pauses).toEqual([50, 50, 200, 400, 800]);
  });

  it('asks for any number of keys, a hundred at a time', async () => {
    const many = Array.from({ length: 250 }, (_, index) => profileKey(userId(`${index + 1}`)));
    mock.on(BatchGetCommand).callsFake(({ RequestItems }) => ({
      Responses: { [tableName]: RequestItems[tableName].Keys },
    }));
    expect(await readItems(table, many, reading)).toEqual(many);
    expect(asked().map((batch) => batch?.length)).toEqual([100, 100, 50]);
  });

  it('begins each batch with as many rounds as the first had', async () => {
    const two = Array.from({ length: 101 }, (_, index) => profileKey(userId(`${index + 1}`)));
    const rounds = new Map<unknown, number>();
    mock.on(BatchGetCommand).callsFake(({ RequestItems }) => {
      const { Keys } = RequestItems[tableName];
      const round = (rounds.get(Keys.length) ?? 0) + 1;
      rounds.set(Keys.length, round);
      return round < 6
        ? { UnprocessedKeys: { [tableName]: { Keys } } }
        : { Responses: { [tableName]: Keys } };
    });
    expect(await readItems(table, two, reading)).toEqual(two);
  });

  it.each([
    { asked: {}, consistent: true },
    { asked: { consistent: false }, consistent: false },
  ])('reads consistently unless it need not: $consistent', async ({ asked: wish, consistent }) => {
    mock.on(BatchGetCommand).resolves({});
    await readItems(table, keys, { ...reading, ...wish });
    const [call] = mock.commandCalls(BatchGetCommand);
    expect(call?.args[0].input.RequestItems?.[tableName]?.ConsistentRead).toBe(consistent);
  });

  it('asks for nothing where nothing is wanted', async () => {
    expect(await readItems(table, [], reading)).toEqual([]);
    expect(asked()).toEqual([]);
  });
});
