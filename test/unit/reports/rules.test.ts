import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { acceptHeader } from '#lib/http/parsers/accept.ts';
import { writeCsv } from '#lib/http/presenters/present-report.ts';
import { measureEnd } from '#lib/jobs/life/end-job.ts';
import { listSums, packEnds } from '#lib/reports/count-ends.ts';
import { countDays, isWholeMonths, listMonths } from '#lib/reports/period.ts';
import { dimensions, fitTogether } from '#lib/reports/report.ts';
import { endedJobs } from '../../fixtures/ended-jobs.ts';

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
  ])('are right for a job that ran %s', (_, times, facts) => {
    const end = { outcome: 'succeeded', endedAt, ...times } as const;
    expect(measureEnd(job, end)).toEqual({ outcome: 'succeeded', ...facts });
  });
});

describe('packs of ends', () => {
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
