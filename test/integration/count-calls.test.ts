import { expect, it } from 'vitest';
import { readItem } from '#lib/table/reads.ts';
import { countCalls } from '#lib/users/call-counter.ts';
import { userId } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';

const minute = new Date('2026-11-15T08:30:00Z');
const key = { user: userId('306328'), endpoint: 'read-jobs', minute };

onEveryEngine('calls on $name', (engine) => {
  const table = tableForAll(engine);

  it('are added up, even for simultaneous reports', async () => {
    const heard = await Promise.all(Array.from({ length: 8 }, () => countCalls(table, key, 25)));
    expect(heard.toSorted((a, b) => a - b)).toEqual([25, 50, 75, 100, 125, 150, 175, 200]);
  });

  it('are counted separately by user, endpoint and minute, and expire', async () => {
    const later = new Date('2026-11-15T08:31:00Z');
    for (const other of [{ user: userId('7') }, { endpoint: 'submit-job' }, { minute: later }]) {
      expect(await countCalls(table, { ...key, ...other }, 3)).toBe(3);
    }
    const counted = { PK: 'CALLS#306328', SK: '2026-11-15T08:31:00.000Z#read-jobs' };
    expect(await readItem(table, counted, (item) => item)).toMatchObject({
      type: 'call-count',
      calls: 3,
      expires_at: Date.parse('2026-11-15T08:41:00Z') / 1000,
    });
  });
});
