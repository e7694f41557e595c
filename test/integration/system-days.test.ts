import { describe, expect, it } from 'vitest';
import { createDayRecorder, judgeAnswer, readSystemDays } from '#lib/hpc/breaker/system-days.ts';
import { createHealthRecorder, readSystemReports } from '#lib/hpc/breaker/system-health.ts';
import { systemDayKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { systemName } from '../fixtures/names.ts';

const one = systemName('hpc_one');
const at = (written: string) => new Date(`2026-11-${written}Z`);

describe('an answer to a health check', () => {
  it.each([
    [0, 'up'],
    [999, 'up'],
    [1000, 'slow'],
  ])('after %i ms is %s', (ms, outcome) => {
    expect(judgeAnswer(ms)).toBe(outcome);
  });
});

onEveryEngine('a history on $name', (engine) => {
  const table = tableForAll(engine);

  it('counts each minute once, whoever checks again', async () => {
    const count = createDayRecorder(table);
    await count(one, 'up', at('14T23:59:10'));
    await count(one, 'slow', at('14T23:59:50'));
    await count(one, 'slow', at('15T00:00:00'));
    await count(one, 'down', at('15T00:01:00'));
    // Another container, or the same run once more.
    await createDayRecorder(table)(one, 'down', at('15T00:01:59'));
    await count(one, 'up', at('15T00:02:00'));
    expect(await readSystemDays(table, one, 3, at('15T12:00:00'))).toEqual([
      { day: '2026-11-13', up: 0, slow: 0, down: 0 },
      { day: '2026-11-14', up: 1, slow: 0, down: 0 },
      { day: '2026-11-15', up: 1, slow: 1, down: 1 },
    ]);
  });

  it('counts on for each system by itself, and shows no later or earlier day', async () => {
    const other = systemName('hpc_two');
    const count = createDayRecorder(table);
    await count(other, 'up', at('01T08:00:00'));
    await count(other, 'down', at('02T08:00:00'));
    await count(other, 'up', at('03T08:00:00'));
    expect(await readSystemDays(table, other, 1, at('02T09:00:00'))).toEqual([
      { day: '2026-11-02', up: 0, slow: 0, down: 1 },
    ]);
  });

  it('expires 31 days after the last minute that was counted', async () => {
    const key = systemDayKey(one, '2026-11-20');
    await createDayRecorder(table)(one, 'up', at('20T08:00:00'));
    const kept = await readItem(table, key, ({ expires_at }) => expires_at);
    expect(new Date(Number(kept) * 1000)).toEqual(new Date('2026-12-21T08:00:00Z'));
  });

  it('costs one unit for each minute, and two for thirty days', async () => {
    const busy = systemName('hpc_busy');
    const count = createDayRecorder(table);
    for (let day = 1; day <= 30; day += 1) {
      await count(busy, 'up', at(`${String(day).padStart(2, '0')}T08:00:00`));
    }
    const { cost } = meter(table);
    expect(await cost(() => count(busy, 'up', at('30T08:01:00')))).toMatchObject({
      writeUnits: 1,
    });
    const read = await cost(() => readSystemDays(table, busy, 30, at('30T09:00:00')));
    expect(read).toMatchObject({ readUnits: 2, writeUnits: 0 });
  });

  it('remembers when a system last answered, also after it has gone', async () => {
    const gone = systemName('hpc_gone');
    const record = createHealthRecorder(table);
    await record(gone, false, at('15T07:58:00'));
    const before = await readSystemReports(table, [gone], at('15T07:58:30'));
    expect(before.get(gone)).toMatchObject({ state: 'down', lastContact: undefined });
    await record(gone, true, at('15T08:00:00'));
    await record(gone, false, at('15T08:01:00'));
    const reports = await readSystemReports(table, [gone], at('15T08:01:30'));
    expect(reports.get(gone)).toMatchObject({ state: 'down', lastContact: at('15T08:00:00') });
  });
});
