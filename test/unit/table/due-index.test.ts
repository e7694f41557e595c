import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueFromItem, findDue, walkDue } from '#lib/table/due-index.ts';
import { putItem } from '#lib/table/writes.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';

const now = new Date('2026-01-01T00:00:00Z');
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString();

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
beforeAll(async () => {
  opened = await openInProcessTable('due');
  const put = (SK: string, due: string, seconds: number) =>
    putItem(opened.table, {
      Item: { PK: 'A', SK, due, due_at: secondsFromNow(seconds), other: 'not read' },
    });
  await put('long', 'DUE#one#0', -30);
  await put('just', 'DUE#one#0', 0);
  await put('soon', 'DUE#one#0', 1);
  await put('short', 'DUE#one#1', -10);
  await put('longest', 'DUE#one#1', -60);
  await put('long too', 'DUE#one#1', -20);
  await put('of another', 'DUE#two#0', -90);
});
afterAll(() => opened.close());

const shards = ['DUE#one#0', 'DUE#one#1'];
const names = (due: readonly { SK: string }[]) => due.map(({ SK }) => SK);

describe('findDue', () => {
  it('gives what is due in all shards, those that wait longest first', async () => {
    const due = await findDue(opened.table, shards, now, 10);
    expect(names(due)).toEqual(['longest', 'long', 'long too', 'short', 'just']);
    expect(due[0]).toEqual({ PK: 'A', SK: 'longest', dueAt: secondsFromNow(-60) });
  });

  it('takes at most so many of each shard', async () => {
    expect(names(await findDue(opened.table, shards, now, 1))).toEqual(['longest', 'long']);
  });

  it('asks no shard where it is given none', async () => {
    expect(await findDue(opened.table, [], now, 10)).toEqual([]);
  });
});

describe('walkDue', () => {
  it('gives all that is due, shard by shard and page by page, and no empty page', async () => {
    const pages: string[][] = [];
    const none = ['DUE#three#0', ...shards, 'DUE#three#1'];
    for await (const page of walkDue(opened.table, none, now, 1)) pages.push(names(page));
    expect(pages).toEqual([['long'], ['just'], ['longest'], ['long too'], ['short']]);
  });

  it('gives no more at a time than a page holds', async () => {
    const pages: number[] = [];
    for await (const page of walkDue(opened.table, shards, now, 2)) pages.push(page.length);
    expect(pages).toEqual([2, 2, 1]);
  });
});

describe('dueFromItem', () => {
  it.each(['PK', 'SK', 'due_at'])('needs %s', (attribute) => {
    const item = { PK: 'A', SK: 'b', due_at: secondsFromNow(0) };
    expect(dueFromItem(item)).toEqual({ PK: 'A', SK: 'b', dueAt: secondsFromNow(0) });
    expect(() => dueFromItem({ ...item, [attribute]: undefined })).toThrow(attribute);
  });
});
