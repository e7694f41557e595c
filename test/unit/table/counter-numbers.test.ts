import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { raiseCounter, takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('counters');
  table = opened.table;
});
afterAll(() => opened.close());

describe('the numbers of records', () => {
  it('begin with 1, go on where they ended, and are taken once by whoever asks at once', async () => {
    const counts = [1, 3, 1, 2];
    const firsts = await Promise.all(counts.map((count) => takeNumbers(table, 'job', count)));
    const taken = firsts.flatMap((first, index) =>
      Array.from({ length: counts[index]! }, (_, more) => first + more),
    );
    expect(taken.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await takeNumbers(table, 'job')).toBe(8);
  });

  it('are counted for each kind of record by itself', async () => {
    expect(await takeNumbers(table, 'quota')).toBe(1);
  });

  it('go on behind one that came in, whether it was the first or the highest', async () => {
    const fresh = await openInProcessTable('fresh');
    await raiseCounter(fresh.table, 'job', 81);
    expect(await takeNumbers(fresh.table, 'job')).toBe(82);
    await raiseCounter(fresh.table, 'job', 90);
    expect(await takeNumbers(fresh.table, 'job')).toBe(91);
    await fresh.close();
  });

  it('are never lowered', async () => {
    const before = await takeNumbers(table, 'job');
    await raiseCounter(table, 'job', 1);
    expect(await takeNumbers(table, 'job')).toBe(before + 1);
  });
});
