import { describe, expect, it } from 'vitest';
import { writeSize, writeSpaceLeft } from '#client/src/format/amounts/amounts.ts';
import type { LedgerLine, Quota } from '#client/src/index.ts';
import { chooseUrgentJobs, chooseUrgentQuotas } from '#console/src/home/needs-attention.tsx';
import { endedSince } from '#console/src/home/use-home-jobs.ts';
import { chooseScale, listDays, stack, toSeries } from '#console/src/parts/chart.tsx';
import {
  describeForecast,
  describeTime,
  forecastEnd,
  forecastRange,
  remarkOn,
} from '#console/src/quotas/describe-quota.ts';
import { sumUpJob } from '#console/src/quotas/job-account.ts';
import { selectLines, writeLedger } from '#console/src/quotas/ledger-page.tsx';
import { readRequest } from '#console/src/quotas/requests-page.tsx';
import { usedByDay } from '#console/src/quotas/use-usage.ts';
import { stageOf } from './stages.ts';

const now = new Date('2026-11-15T08:30:00Z');
const balance = { granted: 18_000_000, left: 17_996_400, held: 3600, used: 0 };
const quota: Quota & { usage: NonNullable<Quota['usage']> } = {
  id: 1,
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'p',
  space_left: 1,
  time_left: 17_996_400,
  user: '306328',
  usage: {
    time: balance,
    space: balance,
    living_jobs: 1,
    valid_until: null,
    renews: null,
    banned: null,
  },
};

describe('the rest of a quota', () => {
  it('is written in node-hours', () => {
    expect(describeTime(quota, 'node')).toBe('4,999 of 5,000 node-hours left');
    const { usage: _, ...plain } = quota;
    expect(describeTime(plain, 'core')).toBe('4,999 core-hours left');
  });

  it('is never rounded up', () => {
    const nearly = { ...balance, left: 17_998_200, held: 0, used: 1_800 };
    expect(describeTime({ ...quota, usage: { ...quota.usage, time: nearly } }, 'node')).toBe(
      '4,999.5 of 5,000 node-hours left',
    );
    expect(writeSize(9_999_999_000, 'floor')).toBe('9.9 GB');
    expect(writeSize(999_999, 'floor')).toBe('999.9 KB');
    expect(writeSize(10_000_000_000, 'floor')).toBe('10 GB');
    expect(writeSize(0, 'floor')).toBe('0 bytes');
  });

  it('has the unit and the precision of the whole', () => {
    const ten = 10_000_000;
    const left = (kilobytes: number) => writeSpaceLeft({ left: kilobytes, granted: ten });
    expect(left(ten - 3)).toEqual({ left: '9.99 GB', granted: '10 GB' });
    expect(left(ten - 50_000)).toEqual({ left: '9.95 GB', granted: '10 GB' });
    expect(left(0)).toEqual({ left: '0 GB', granted: '10 GB' });
    expect(writeSpaceLeft({ left: 0, granted: 0 })).toEqual({
      left: '0 bytes',
      granted: '0 bytes',
    });
  });

  it.each([
    [{}, []],
    [{ valid_until: '2026-11-29T08:29:59Z' }, ['! Ends on 29 November 2026.']],
    [{ valid_until: '2026-11-29T08:30:00Z' }, ['Ends on 29 November 2026.']],
    [{ valid_until: '2026-11-15T08:30:00Z' }, ['! Ended on 15 November 2026.']],
    [{ time: { ...balance, left: 1_799_999 } }, ['! Less than a tenth is left.']],
    [{ time: { ...balance, left: 1_800_000 } }, []],
    [{ time: { ...balance, granted: 0, left: 0 } }, []],
    [
      {
        renews: {
          every: 'monthly' as const,
          on: 1,
          to: { time: 3_600_000, space: 1 },
          carry_over: { time: 0, space: 0 },
          next: '2026-12-01T00:00:00Z',
        },
      },
      ['Renews monthly to 1,000 node-hours, next on 1 December 2026.'],
    ],
  ])('with %j has its remarks, pressing ones marked', (change, remarks) => {
    const found = remarkOn({ ...quota, usage: { ...quota.usage, ...change } }, 'node', now);
    expect(found.map(({ words, pressing }) => (pressing ? `! ${words}` : words))).toEqual(remarks);
  });

  it('is predicted to last until a day', () => {
    expect(forecastEnd(1000, { used: 3000, days: 30 }, now)?.toISOString()).toBe(
      '2026-11-25T08:30:00.000Z',
    );
    expect(forecastEnd(1000, { used: 0, days: 30 }, now)).toBeUndefined();
    expect(forecastEnd(1000, { used: 30, days: 30 }, now)).toBeUndefined();
  });
});

const line: LedgerLine = {
  at: '2026-11-15T08:30:00.789Z',
  kind: 'hold',
  time: -3600,
  space: -1,
  time_left: 1,
  space_left: 2,
  by: '306328',
  reason: 'job submitted',
  job_id: 'AF17',
  act_id: null,
};
const settled: LedgerLine = { ...line, kind: 'settle', time: 720, reason: 'SUCCESSFUL' };

describe('a ledger', () => {
  it('sums up what a job reserved and got back', () => {
    expect(sumUpJob([settled, line])).toEqual({ held: 3600, returned: 720 });
    expect(sumUpJob([])).toEqual({ held: 0, returned: 0 });
  });

  it('is filtered by kind, job and reason', () => {
    const select = (kind: string, text: string) => selectLines([settled, line], { kind, text });
    expect(select('', '')).toHaveLength(2);
    expect(select('hold', '')).toEqual([line]);
    expect(select('', 'success')).toEqual([settled]);
    expect(select('', 'af17')).toHaveLength(2);
    expect(select('grant', '')).toEqual([]);
  });

  it('is written as CSV, without formulas', () => {
    const reason = '=SUM(A1), "x"';
    expect(writeLedger([{ ...line, reason, job_id: null }])).toBe(
      'at,kind,time,space,time_left,space_left,by,reason,job_id\r\n' +
        `2026-11-15T08:30:00.789Z,hold,-3600,-1,1,2,306328,"'=SUM(A1), ""x""",\r\n`,
    );
  });
});

describe('asking for more', () => {
  const draft = { place: '', time: '500 node-hours', space: '10 GB', reason: ' a course ' };

  it('sends seconds and kilobytes', () => {
    const { body, problems } = readRequest(draft, 'node');
    expect(body).toEqual({ time: 1_800_000, space: 10_000_000, reason: 'a course' });
    expect(problems.size).toBe(0);
    expect(readRequest({ ...draft, space: '' }, 'node').body).not.toHaveProperty('space');
  });

  it.each([
    [{ time: 'much' }, ['time']],
    [{ time: '-5h' }, ['time']],
    [{ space: '10' }, ['space']],
    [{ time: '', space: '' }, ['time']],
    [{ reason: '  ' }, ['reason']],
  ])('with %j says what is wrong', (change, fields) => {
    expect([...readRequest({ ...draft, ...change }, 'node').problems.keys()]).toEqual(fields);
  });
});

const job = {
  id: 1,
  job_id: 'A',
  owner: '',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: '',
  title: '',
  runtime: 1,
  stage: 'FAILED',
  terminal_stage: true,
  failed: true,
  init_date: '2026-11-15T06:00:00Z',
  end_date: '2026-11-15T08:00:00Z',
};

describe('home', () => {
  it('lists jobs that ended since the last visit, the last to end first', () => {
    const at = (id: string, end: string | null) => ({ ...job, job_id: id, end_date: end });
    const jobs = [
      at('early', '2026-11-15T06:59:59Z'),
      at('first', '2026-11-15T07:00:00Z'),
      at('last', '2026-11-15T08:00:00Z'),
      at('active', null),
    ];
    expect(endedSince(jobs, '2026-11-15T07:00:00Z').map(({ job_id: id }) => id)).toEqual([
      'last',
      'first',
    ]);
  });

  it('lists jobs that failed since the last visit or have waited long', () => {
    const lives = { ...job, terminal_stage: false, failed: false, end_date: null };
    const jobs = [
      job,
      { ...lives, job_id: 'B', stage: 'QUEUED' },
      { ...lives, job_id: 'C', stage: 'QUEUED', init_date: now.toISOString() },
      { ...lives, job_id: 'D', stage: 'RUNNING' },
    ];
    const choose = (since: string) =>
      chooseUrgentJobs(jobs, { since, now, stageOf }).map(({ job: { job_id: id }, why }) => [
        id,
        why,
      ]);
    expect(choose('2026-11-15T07:00:00Z')).toEqual([
      ['A', undefined],
      ['B', 'waiting for 2 h'],
    ]);
    expect(choose('2026-11-15T08:10:00Z')).toEqual([['B', 'waiting for 2 h']]);
  });

  it.each([
    ['all is well', {}, 0, []],
    ['it ends soon', { valid_until: '2026-11-20T00:00:00Z' }, 0, ['ends on 20 November 2026']],
    ['it ended', { valid_until: '2026-11-15T08:30:00Z' }, 0, ['ended on 15 November 2026']],
    ['it ends, but not soon', { valid_until: '2026-12-20T00:00:00Z' }, 0, []],
    ['little is left', { time: { ...balance, left: 1 } }, 0, ['nearly used up']],
    ['it is used fast', {}, 90_000_000, ['lasts until 21 November 2026 at this rate']],
    ['it is used slowly', {}, 18_000_000, []],
  ])('says why a quota needs attention: %s', (_, change, used, expected) => {
    const changed = { ...quota, usage: { ...quota.usage, ...change } };
    const urgent = chooseUrgentQuotas([changed], () => used, now);
    expect(urgent.map(({ why }) => why)).toEqual(expected);
  });
});

describe('a forecast', () => {
  const used = [...Array(23).fill(0), ...Array(7).fill(3600)];

  it('has a range by the busiest and the quietest week', () => {
    const steady = Array(28).fill(3600);
    const busy = [...Array(14).fill(3600), ...Array(14).fill(7200)];
    const day = (moment: Date | undefined) => moment?.toISOString().slice(0, 10);
    const range = forecastRange(36_000, busy, now);
    expect([day(range?.earliest), day(range?.latest)]).toEqual(['2026-11-20', '2026-11-25']);
    expect(describeForecast(36_000, busy, now)).toBe(
      'At this rate it lasts until 22 November 2026, or between 20 November 2026 and 25 November 2026 by the busiest and the quietest week.',
    );
    expect(describeForecast(36_000, steady, now)).toBe(
      'At this rate it lasts until 25 November 2026.',
    );
  });

  it('has no range if a week was idle, and is missing if nothing was used', () => {
    expect(forecastRange(36_000, used, now)).toBeUndefined();
    expect(describeForecast(36_000, Array(30).fill(0), now)).toBeUndefined();
  });

  it('adds up the usage of one project by day', () => {
    const at = { project_hpc: 'HPC_ONE', project_name: 'p' };
    const row = { ...at, time_used: 5, day: now.toISOString().slice(0, 10) };
    const rows = [row, row, { ...row, project_name: 'other' }].map((each) => ({
      jobs_ended: 1,
      jobs_failed: 0,
      jobs_cancelled: 0,
      queue_time_median: null,
      queue_time_p95: null,
      run_time_median: null,
      run_time_p95: null,
      time_asked: null,
      ...each,
    }));
    expect(usedByDay(rows, at, now)).toEqual([...Array(29).fill(0), 10]);
  });
});

describe('a chart', () => {
  it.each([
    [0, { top: 3600, ticks: [0] }],
    [3600, { top: 3600, ticks: [0, 720, 1440, 2160, 2880, 3600] }],
    [3601, { top: 5400, ticks: [0, 1800, 3600, 5400] }],
    [18_000, { top: 18_000, ticks: [0, 3600, 7200, 10_800, 14_400, 18_000] }],
    [435_000, { top: 540_000, ticks: [0, 180_000, 360_000, 540_000] }],
    [1_000_000, { top: 1_080_000, ticks: [0, 360_000, 720_000, 1_080_000] }],
  ])('for %d has a scale of round numbers', (most, scale) => {
    expect(chooseScale(most, 3600)).toEqual(scale);
  });

  it('stacks values from the baseline, and leaves out what is empty', () => {
    const series = [
      { name: 'a', values: [5, 0] },
      { name: 'b', values: [2, 0] },
    ];
    expect(stack(series, 0, 10)).toEqual([
      { index: 0, from: 0, size: 0.5 },
      { index: 1, from: 0.5, size: 0.2 },
    ]);
    expect(stack(series, 1, 10)).toEqual([]);
  });

  it('has the largest series first, and adds up the others', () => {
    const moments = listDays('2026-02-27', '2026-03-01');
    expect(moments).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    const amounts = Array.from({ length: 8 }, (_, index) => ({
      moment: '2026-03-01',
      name: `p${index}`,
      value: index,
    }));
    const series = toSeries([...amounts, { moment: '1999', name: 'x', value: 9 }], moments);
    expect(series.map(({ name }) => name)).toEqual(['p7', 'p6', 'p5', 'p4', 'p3', '3 others']);
    expect(series.at(-1)?.values).toEqual([0, 0, 3]);
    expect(toSeries([], moments)).toEqual([]);
  });
});
