import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { countEnds } from '#lib/reports/count-ends.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import { readReport } from '#lib/reports/read-report.ts';
import type { Report } from '#lib/reports/report.ts';
import { addUsage, noUsage, type UsageSum, usageOf } from '#lib/reports/usage-sum.ts';
import { countedEndKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { keepMeasurements } from '#lib/telemetry/measurements.ts';
import { embedded } from '../engines/engines.ts';
import { type Cost, meter } from '../engines/meter.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { endedJob, endedJobs } from '../fixtures/ended-jobs.ts';
import { userId } from '../fixtures/names.ts';

const period = { since: '2026-11-01', until: '2026-11-30' };

/** Adds up ends one by one. */
function addUp(ends: readonly EndedJob[]): UsageSum {
  return ends.map(usageOf).reduce(addUsage, noUsage);
}

onEveryEngine('counting ends on $name', (engine) => {
  const table = tableForAll(engine);
  let cost: (action: () => Promise<unknown>) => Promise<Cost>;
  beforeAll(() => {
    ({ cost } = meter(table));
  });

  const read = async (report: Partial<Report>) => {
    const { entries: rows } = await readReport(table, { by: ['month'], period, ...report }, 1000);
    return rows;
  };
  const readOne = async (user: string) => (await read({ user: userId(user) }))[0]?.usage;

  /** Makes ends of a separate user. */
  const endsOf = (user: string, count: number) =>
    endedJobs(count, 1).map((end) => ({ ...end, account: { ...end.account, user: userId(user) } }));

  it('counts an end once if it is reported again, in the same batch or another', async () => {
    const ends = endsOf('1', 40);
    const measured: unknown[] = [];
    keepMeasurements(({ name, value, labels }) => measured.push([name, value, labels]));
    onTestFinished(() => keepMeasurements());
    expect(await countEnds(table, [...ends.slice(0, 30), ...ends.slice(10, 30)])).toBe(30);
    const told = ends
      .slice(0, 30)
      .flatMap(({ account: { hpc }, outcome, waited }) => [
        ['JobEnds', 1, { hpc, outcome }],
        ...(waited === undefined ? [] : [['WaitSeconds', waited, { hpc }]]),
      ]);
    expect(measured).toHaveLength(told.length);
    expect(measured).toEqual(expect.arrayContaining(told));
    const { account, jobId, at } = ends[0]!;
    expect(await readItem(table, countedEndKey(account, jobId), (item) => item)).toMatchObject({
      type: 'counted-end',
      schema_version: 1,
      day: at.toISOString().slice(0, 10),
    });
    expect(await countEnds(table, ends)).toBe(10);
    expect(await countEnds(table, ends)).toBe(0);
    expect(await readOne('1')).toEqual(addUp(ends));
  });

  it('counts an end once if many report it at the same time', async () => {
    const ends = endsOf('2', 12);
    const batches = Array.from({ length: 6 }, (_, n) => [...ends.slice(n), ...ends.slice(0, n)]);
    const counted = await Promise.all(
      batches.map(async (batch) => {
        await nextTurn();
        return countEnds(table, batch.slice(0, 8));
      }),
    );
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(ends.length);
    expect(await readOne('2')).toEqual(addUp(ends));
  });

  const ends = endedJobs(120, 7);

  it('loses none of many simultaneous ends, whatever the report groups by', async () => {
    // The writers meet in the same sums, and with each of them DynamoDB Local refuses more of their calls.
    const writers = engine === embedded ? 8 : 4;
    const share = ends.length / writers;
    const batches = Array.from({ length: writers }, (_, n) =>
      ends.slice(n * share, (n + 1) * share),
    );
    await Promise.all(batches.map((batch) => countEnds(table, batch)));
    const users = (await read({ by: ['user'] })).filter(({ names }) => names.user !== undefined);
    const ours = users.filter(({ names }) => names.user?.startsWith('7000'));
    expect(ours.map(({ names }) => names.user)).toEqual(
      Array.from({ length: 7 }, (_, n) => String(700_000 + n)),
    );
    for (const { names, usage } of ours) {
      expect(usage).toEqual(addUp(ends.filter(({ account }) => account.user === names.user)));
    }
    const [everybody] = await read({ by: ['project'] });
    expect(everybody?.usage).toEqual(addUp([...endsOf('1', 40), ...endsOf('2', 12), ...ends]));
  });

  it('gives the same by day as by month, and for a part of a month what its days say', async () => {
    const user = userId('700003');
    const own = ends.filter(({ account }) => account.user === user);
    const days = await read({ by: ['day'], user });
    expect(days.reduce((sum, { usage }) => addUsage(sum, usage), noUsage)).toEqual(addUp(own));
    const everybody = await read({ by: ['day'] });
    expect(everybody.map(({ names }) => names.day)).toContain('2026-11-30');
    expect(everybody.map(({ usage }) => usage).reduce(addUsage)).toEqual(
      (await read({ by: ['month'] }))[0]?.usage,
    );
    const part = { since: '2026-11-08', until: '2026-11-19' };
    const inPart = own.filter(({ at }) => at >= new Date(part.since) && at.getUTCDate() <= 19);
    expect(inPart.length).toBeGreaterThan(3);
    const rows = await read({ by: ['user'], period: part });
    expect(rows.find(({ names }) => names.user === user)?.usage).toEqual(addUp(inPart));
  });

  it('comes in pages that together are the whole, even over several months', async () => {
    const december = endedJobs(9, 3).map((end) => ({
      ...end,
      jobId: endedJob(Number(end.jobId.slice(4)) + 5000, 3).jobId,
      at: new Date('2026-12-24T12:00:00Z'),
    }));
    await countEnds(table, december);
    const report: Report = {
      by: ['user', 'month'],
      period: { since: '2026-11-01', until: '2026-12-31' },
    };
    const whole = await readReport(table, report, 1000);
    expect(whole.next).toBeUndefined();
    expect(whole.entries.filter(({ names }) => names.month === '2026-12')).toHaveLength(3);
    const pages = [];
    for (let next: string | undefined = ''; next !== undefined; ) {
      const page = await readReport(table, report, 2, next === '' ? undefined : next);
      expect(page.entries.length).toBeGreaterThan(0);
      pages.push(...page.entries);
      next = page.next;
    }
    expect(pages).toEqual(whole.entries);
  });

  it.runIf(engine.name === 'embedded')(
    'costs a report no more after many ends than after few',
    async () => {
      const costs = [];
      for (const [first, count] of [
        [10_001, 1000],
        [11_001, 4000],
      ] as const) {
        const ends = endedJobs(count, 100, first).map((end) => ({
          ...end,
          at: new Date(`2026-11-0${1 + (Number(end.jobId.slice(4)) % 2)}T12:00:00Z`),
        }));
        await countEnds(table, ends);
        costs.push({
          users: await cost(() => read({ by: ['user'] })),
          projects: await cost(() => read({ by: ['project'] })),
          months: await cost(() => read({ by: ['system', 'month'] })),
        });
      }
      expect(costs[0]?.users.readUnits).toBeGreaterThan(10);
      expect(costs[1]).toEqual(costs[0]);
    },
  );
});
