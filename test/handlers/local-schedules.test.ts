import { expect, it } from 'vitest';
import { scheduleNames } from '#functions/schedules.ts';
import { loadSchedules } from '#local/load-handlers.ts';

it('runs every schedule on one machine, except those that only measure and check', async () => {
  const loaded = new Set((await loadSchedules()).map(({ name }) => name));
  expect(scheduleNames.filter((name) => !loaded.has(name))).toEqual([
    'measure-queue',
    'reconcile-accounts',
  ]);
});
