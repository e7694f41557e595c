import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profileKey, profileRegistryKeys, userRegistry } from '#lib/table/keys.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { userId } from '#test/fixtures/names.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('registry');
  table = opened.table;
  for (const user of ['10', '9', '100', '7'].map(userId)) {
    const Item = { ...profileKey(user), ...profileRegistryKeys(user) };
    await table.client.send(new PutCommand({ TableName: table.name, Item }));
  }
});
afterAll(() => opened.close());

/** The same table, which answers with at most so many entries at a time, however many are wanted. */
function answeringShort(entries: number, whenAsked: (wanted: number) => void = () => undefined) {
  table.client.middlewareStack.add(
    (next) => (request) => {
      whenAsked(Object(request.input).Limit);
      Object.assign(request.input, { Limit: entries });
      return next(request);
    },
    { step: 'initialize', name: 'answerShort' },
  );
  return () => table.client.middlewareStack.remove('answerShort');
}

describe('readRegistry', () => {
  it.each([
    { limit: 10, users: ['7', '9', '10', '100'], goesOn: false },
    { limit: 3, users: ['7', '9', '10'], goesOn: true },
    { limit: 10, after: '9', users: ['10', '100'], goesOn: false },
    { limit: 1, after: '9', users: ['10'], goesOn: true },
    { limit: 10, after: '100', users: [], goesOn: false },
  ])('gives $users: $limit behind $after', async ({ limit, after, users, goesOn }) => {
    const start = after === undefined ? undefined : userId(after);
    expect(await readRegistry(table, userRegistry, limit, start)).toEqual({ users, goesOn });
  });

  it('is empty where nobody is in the partition', async () => {
    const nobody = { users: [], goesOn: false };
    expect(await readRegistry(table, 'REGISTRY#QUOTAS#hpc_one#p', 10)).toEqual(nobody);
  });

  it.each([
    { limit: 3, entries: 1, users: ['7', '9', '10'], goesOn: true },
    { limit: 3, entries: 2, users: ['7', '9', '10'], goesOn: true },
    { limit: 4, entries: 3, users: ['7', '9', '10', '100'], goesOn: false },
    { limit: 9, entries: 3, users: ['7', '9', '10', '100'], goesOn: false },
  ])('asks on where answers have $entries of $limit', async ({ limit, entries, ...expected }) => {
    const stop = answeringShort(entries);
    try {
      expect(await readRegistry(table, userRegistry, limit)).toEqual(expected);
    } finally {
      stop();
    }
  });

  it('asks for no more at a time than are wanted', async () => {
    const wanted: number[] = [];
    const stop = answeringShort(1, (limit) => wanted.push(limit));
    try {
      await readRegistry(table, userRegistry, 2);
    } finally {
      stop();
    }
    expect(wanted[0]).toBe(2);
  });
});
