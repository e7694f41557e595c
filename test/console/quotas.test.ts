import { describe, expect, it } from 'vitest';
import { writeSizeLeft } from '#client/src/format/amounts.ts';
import type { LedgerLine, Quota } from '#client/src/index.ts';
import { chooseUrgentJobs, chooseUrgentQuotas } from '#console/src/home/needs-attention.tsx';
import { stackDays } from '#console/src/home/usage-chart.tsx';
import { endedSince } from '#console/src/home/use-home-jobs.ts';
import { readRequest } from '#console/src/quotas/ask-form.tsx';
import { describeTime, forecastEnd, remarkOn } from '#console/src/quotas/describe-quota.ts';
import { sumUpJob } from '#console/src/quotas/job-account.ts';
import { selectLines, writeLedger } from '#console/src/quotas/ledger-page.tsx';
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
    const nearly = { ...balance, left: 17_998_600 };
    expect(describeTime({ ...quota, usage: { ...quota.usage, time: nearly } }, 'node')).toBe(
      '4,999 of 5,000 node-hours left',
    );
    expect(writeSizeLeft(9_999_999_000)).toBe('9.9 GB');
    expect(writeSizeLeft(999_999)).toBe('999.9 KB');
    expect(writeSizeLeft(10_000_000_000)).toBe('10 GB');
    expect(writeSizeLeft(0)).toBe('0 bytes');
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
  it('has a stack for each day, even without usage', () => {
    const rows = [
      { day: '2026-11-15', project_name: 'a', time_used: 10 },
      { day: '2026-11-15', project_name: 'b', time_used: 5 },
      { day: '2026-11-13', project_name: 'a', time_used: 1 },
      { day: '2026-10-01', project_name: 'a', time_used: 99 },
    ];
    expect(stackDays(rows, 3, now).map(({ day, sum }) => [day, sum])).toEqual([
      ['2026-11-13', 1],
      ['2026-11-14', 0],
      ['2026-11-15', 15],
    ]);
  });

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
      ['A', 'failed'],
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
