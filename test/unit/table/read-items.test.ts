import { BatchGetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { TableBusyError } from '#lib/table/errors.ts';
import { profileKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import { openTable } from '#lib/table/table.ts';
import { userId } from '#test/fixtures/names.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';

const mock = mockTable();
const table = openTable(tableName);
const keys = ['1', '2', '3'].map(userId).map(profileKey);
const [first, second, third] = keys.map((key) => ({ ...key, type: 'profile' }));
const noPause = async () => undefined;

beforeEach(() => mock.reset());

const asked = () =>
  mock
    .commandCalls(BatchGetCommand)
    .map(({ args: [{ input }] }) => input.RequestItems?.[tableName]?.Keys?.map(({ PK }) => PK));

describe('readItems', () => {
  it('answers in the order of the keys, without what is gone', async () => {
    mock.on(BatchGetCommand).resolves({ Responses: { [tableName]: [third!, first!] } });
    expect(await readItems(table, keys, noPause)).toEqual([first, third]);
  });

  it('asks again for what the table left out, and for no more', async () => {
    mock
      .on(BatchGetCommand)
      .resolvesOnce({
        Responses: { [tableName]: [second!] },
        UnprocessedKeys: { [tableName]: { Keys: [{ ...keys[0]! }, { ...keys[2]! }] } },
      })
      .resolves({ Responses: { [tableName]: [first!, third!] } });
    expect(await readItems(table, keys, noPause)).toEqual([first, second, third]);
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
    await expect(readItems(table, keys, pause)).rejects.toThrow(TableBusyError);
    expect(asked()).toHaveLength(6);
    expect(pauses).toHaveLength(5);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(25 * 2 ** 5);
  });

  it('asks for nothing where nothing is wanted', async () => {
    expect(await readItems(table, [], noPause)).toEqual([]);
    expect(asked()).toEqual([]);
  });
});
