import { describe, expect, it } from 'vitest';
import { type ScheduleName, scheduleNames, schedules } from '#functions/schedules.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { listSweepCalls } from '#lib/jobs/run/sweep/sweep.ts';
import { lambdaContext } from '../fixtures/api-event.ts';
import { captureLog } from '../fixtures/captured-log.ts';
import { useTable } from '../fixtures/engine-table.ts';

useTable();

const fileOf = (name: ScheduleName) =>
  new URL(`../../functions/${schedules[name].file}.ts`, import.meta.url).href;

/** Once a day, and with something to say. */
const speaks: readonly ScheduleName[] = ['reconcile-accounts'];

describe('a run by the clock that finds nothing to do', () => {
  it.each(scheduleNames.filter((name) => !speaks.includes(name)))(
    'writes nothing, because it is paid by the byte each minute: %s',
    async (name) => {
      const { handler } = await import(/* @vite-ignore */ fileOf(name));
      const [sweep] = listSweepCalls(catalog.systems);
      const lines = captureLog();
      await handler(name === 'track-jobs' ? sweep : {}, lambdaContext);
      expect(lines).toEqual([]);
    },
  );
});
