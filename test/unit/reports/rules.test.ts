import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { writeCsv } from '#lib/http/presenters/present-report.ts';
import { measureEnd } from '#lib/jobs/life/end-job.ts';
import { listSums, packEnds } from '#lib/reports/count-ends.ts';
import { countDuration, writeDurations } from '#lib/reports/durations.ts';
import { endFromLine } from '#lib/reports/ended-job.ts';
import {
  countDays,
  endOfMonth,
  isWholeMonths,
  lastDayOf,
  listMonths,
  monthBefore,
} from '#lib/reports/period.ts';
import { dimensions, fitTogether } from '#lib/reports/report.ts';
import { sumFromItem, sumToItem } from '#lib/reports/usage-item.ts';
import { addUsage, usageOf } from '#lib/reports/usage-sum.ts';
import { userDayKey } from '#lib/table/keys.ts';
import { endedJob, endedJobs } from '../../fixtures/ended-jobs.ts';
import { jobId, projectName, systemName, userId } from '../../fixtures/names.ts';

const accountOf = (user: string) => ({
  user: userId(user),
  hpc: systemName('hpc_one'),
  project: projectName('proj_hpc_one_01'),
});

describe('the facts of an end', () => {
  const job = { submittedAt: new Date('2026-11-15T08:00:00Z') };
  const endedAt = new Date('2026-11-15T10:00:00Z');
  const runningSince = new Date('2026-11-15T09:00:30Z');

  it.each([
    ['seen running', { ranSeconds: 3570, runningSince }, { waited: 3630, ran: 3570 }],
    ['between two looks', { ranSeconds: 20.4 }, { waited: 7180, ran: 20 }],
    ['never', { ranSeconds: 0 }, {}],
    ['for a moment', { ranSeconds: 0.2, runningSince: endedAt }, { waited: 7200, ran: 0 }],
    ['longer than it is there', { ranSeconds: 9999 }, { waited: 0, ran: 9999 }],
    [
      'by our clock, and waited for the service',
      { ranSeconds: 20, runningSince, excusedSeconds: 5.4, byClock: true },
      { waited: 3630, ran: 20, excused: 5, byClock: true },
    ],
  ])('are right for a job that ran %s', (_, times, facts) => {
    const end = { outcome: 'succeeded', endedAt, ...times } as const;
    expect(measureEnd(job, end)).toEqual({ outcome: 'succeeded', ...facts });
  });
});

describe('what a ledger line settles', () => {
  const account = accountOf('306328');
  const settled = {
    key: '',
    kind: 'settle',
    seconds: 720,
    kilobytes: 0,
    used: 2880,
    at: new Date('2026-11-15T10:00:00Z'),
    by: 'slipway',
    reason: '',
    jobId: jobId('A'),
    end: { outcome: 'succeeded', waited: 12, ran: 1440 },
  } as const;
  const ended = { account, jobId: 'A', at: settled.at, used: 2880, asked: 3600, ...settled.end };
  const cost = { held: 5, used: 4 };

  it.each([
    { why: 'a job', line: {}, end: ended },
    { why: 'a job with a price', line: { cost }, end: { ...ended, cost } },
    {
      why: 'a job that draws from a budget',
      line: { member: userId('7') },
      end: { ...ended, account: accountOf('7') },
    },
    { why: 'a job from before ends were recorded', line: { end: undefined }, end: undefined },
    { why: 'a batch', line: { jobId: undefined }, end: undefined },
    { why: 'nothing', line: { kind: 'hold' as const }, end: undefined },
  ])('is counted for $why', ({ line, end }) => {
    expect(endFromLine(account, { ...settled, ...line })).toStrictEqual(end);
  });
});

describe('a sum of usage', () => {
  const failing = endedJob(1, 1, { used: 30, asked: 40, outcome: 'failed', waited: 5, ran: 7 });
  const { ran: _, waited: __, ...never } = endedJob(2, 1, { used: 0, outcome: 'cancelled' });

  it('counts what jobs used, and what those asked for that ran', () => {
    const ran = usageOf(failing);
    const { asked, used, jobs, failed, cancelled: ended } = addUsage(ran, usageOf(never));
    expect({ asked, used, jobs, failed, ended }).toEqual({
      asked: 40,
      used: 30,
      jobs: 2,
      failed: 1,
      ended: 1,
    });
    expect(addUsage(ran, { ...ran, asked: undefined })).not.toHaveProperty('asked');
    expect(addUsage({ ...ran, asked: undefined }, ran)).not.toHaveProperty('asked');
  });

  it('is stored in this shape', () => {
    const account = accountOf('7');
    const key = userDayKey(account, '2026-11-15');
    const sum = { ...account, time: '2026-11-15', usage: usageOf(failing) };
    const item = {
      ...key,
      type: 'usage-sum',
      schema_version: 1,
      user: '7',
      hpc: account.hpc,
      project_name: account.project,
      time: '2026-11-15',
      used: 30,
      asked: 40,
      jobs: 1,
      failed: 1,
      cancelled: 0,
      waited: writeDurations(countDuration(5)),
      ran: writeDurations(countDuration(7)),
    };
    expect(sumToItem(key, sum)).toEqual(item);
    expect(sumFromItem(item)).toEqual(sum);
  });
});

describe('packs of ends', () => {
  it('are filled up to the last item, and none is empty', () => {
    // Each has a mark and four sums, of which two are those of its project.
    const apart = endedJobs(3, 3).map((end) => ({ ...end, at: new Date(0) }));
    const sizes = (most: number) => packEnds(apart, most).map(({ length }) => length);
    expect(sizes(11)).toEqual([3]);
    expect(sizes(10)).toEqual([2, 1]);
    expect(sizes(5)).toEqual([1, 1, 1]);
    expect(packEnds([], 100)).toEqual([]);
  });

  it('put ends together that share sums', () => {
    const users = ['1', '2', '1', '2'].map(accountOf);
    const ends = users.map((account, place) => endedJob(place, 1, { account, at: new Date(0) }));
    const packs = packEnds(ends, 6).map((pack) => pack.map(({ account }) => account.user));
    expect(packs).toEqual([
      ['1', '1'],
      ['2', '2'],
    ]);
  });

  it('hold every end once, and no more items than one transaction', () => {
    const ends = endedJobs(500, 40);
    const packs = packEnds(ends, 100);
    expect(new Set(packs.flat())).toEqual(new Set(ends));
    expect(packs.flat()).toHaveLength(ends.length);
    for (const pack of packs) {
      const sums = new Set(pack.flatMap(listSums).map(({ key }) => `${key.PK} ${key.SK}`));
      expect(pack.length + sums.size).toBeLessThanOrEqual(100);
    }
    // Ends of one user and day share their sums. More than one sum per five ends would be a waste.
    expect(
      packEnds(
        endedJobs(96, 1).map((end) => ({ ...end, at: new Date(0) })),
        100,
      ),
    ).toHaveLength(1);
  });
});

describe('periods', () => {
  it.each([
    ['2026-11-01', '2026-11-30', 30, true, ['2026-11']],
    ['2026-11-02', '2026-11-30', 29, false, ['2026-11']],
    ['2026-02-01', '2026-02-27', 27, false, ['2026-02']],
    ['2028-02-01', '2028-02-29', 29, true, ['2028-02']],
    ['2026-11-30', '2027-01-01', 33, false, ['2026-11', '2026-12', '2027-01']],
  ])('from %s to %s are understood', (since, until, days, whole, months) => {
    const period = { since, until };
    expect([countDays(period), isWholeMonths(period), listMonths(period)]).toEqual([
      days,
      whole,
      months,
    ]);
  });
});

it.each([
  ['2026-12', '2026-11', '2026-12-31', '2027-01-01T00:00:00.000Z'],
  ['2028-03', '2028-02', '2028-03-31', '2028-04-01T00:00:00.000Z'],
  ['2026-01', '2025-12', '2026-01-31', '2026-02-01T00:00:00.000Z'],
])('%s has a month before it, a last day and an end', (month, before, last, end) => {
  expect(monthBefore(month)).toBe(before);
  expect(lastDayOf(month)).toBe(last);
  expect(endOfMonth(month).toISOString()).toBe(end);
});

it('groups no report by nothing, and none by three things', () => {
  expect(fitTogether([])).toBe(false);
  expect(fitTogether(['user', 'project', 'day'])).toBe(false);
});

it('groups a report by one thing, by a thing and a time, or by users and where', () => {
  const pairs = dimensions.flatMap((a, i) => dimensions.slice(i).map((b) => [a, b] as const));
  expect(pairs.filter(fitTogether).map((pair) => pair.join(','))).toEqual([
    'user,project',
    'user,system',
    'user,day',
    'user,month',
    'project,day',
    'project,month',
    'system,day',
    'system,month',
  ]);
  expect(dimensions.every((each) => fitTogether([each]))).toBe(true);
});

it.each([
  [undefined, 'json'],
  ['*/*', 'json'],
  ['application/json', 'json'],
  ['text/csv', 'csv'],
  ['TEXT/CSV; charset=utf-8', 'csv'],
  ['text/csv;q=0', 'json'],
  ['text/csv;q=0.5, application/json', 'json'],
  ['application/json;q=0.5, text/csv;q=0.9', 'csv'],
])('answers a client that accepts %s with %s', (accept, form) => {
  expect(v.parse(acceptHeader, { accept })).toEqual({ form });
});

it('writes CSV that no spreadsheet takes for formulas', () => {
  const rows = [
    { a: '=1+1', b: 'with "quotes", and a comma' },
    { a: '@x', b: -1 },
    { a: null, b: 'two\nlines' },
  ];
  expect(writeCsv(['a', 'b'], rows)).toBe(
    'a,b\r\n\'=1+1,"with ""quotes"", and a comma"\r\n\'@x,-1\r\n,"two\nlines"\r\n',
  );
});
