import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import { computeHold, computeSettlement, type Demand, judgeHold } from '#lib/quotas/holds.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';

const demand: Demand = { nodes: 2, coresPerNode: 6, hours: 0.5, inputBytes: 0 };

function seconds(nodes: number, hours: number): number {
  return computeHold('node', { ...demand, nodes, hours }).seconds;
}

function kilobytes(inputBytes: number): number {
  return computeHold('node', { ...demand, inputBytes }).kilobytes;
}

describe('computeHold', () => {
  it.each([
    { rule: 'wall-clock', held: 1800 },
    { rule: 'node', held: 3600 },
    { rule: 'core', held: 21_600 },
  ] as const)('charges $held seconds by $rule', ({ rule, held }) => {
    expect(computeHold(rule, demand)).toEqual({ seconds: held, kilobytes: 0 });
  });

  it('matches the golden cases', () => {
    expect(seconds(2, 2)).toBe(14_400);
    expect(seconds(2, 0.5)).toBe(3600);
  });

  it.each([
    { nodes: 3, hours: 0.1, held: 1080 },
    { nodes: 7, hours: 0.1, held: 2520 },
    { nodes: 1, hours: 1.1, held: 3960 },
    { nodes: 3, hours: 0.7, held: 7560 },
    { nodes: 512, hours: 0.3, held: 552_960 },
    { nodes: 72, hours: 1 / 3, held: 86_400 },
  ])('drops the noise of doubles: $nodes x $hours h', ({ nodes, hours, held }) => {
    expect(seconds(nodes, hours)).toBe(held);
  });

  it.each([
    { hours: 1 / 3600, held: 1 },
    { hours: 1.001 / 3600, held: 2 },
    { hours: 1.999 / 3600, held: 2 },
    { hours: 2 / 3600, held: 2 },
    { hours: 3599.999 / 3600, held: 3600 },
    { hours: 3600.001 / 3600, held: 3601 },
  ])('rounds up to whole seconds: $hours h', ({ hours, held }) => {
    expect(seconds(1, hours)).toBe(held);
  });

  it.each([1e-3, 1e-9, 1e-15, Number.MIN_VALUE])('holds at least 1 second for %d h', (hours) => {
    expect(seconds(1, hours / 3600)).toBe(1);
  });

  it('stays exact at the limits of the catalog', () => {
    const most = computeHold('core', { ...demand, nodes: 512, coresPerNode: 64, hours: 24 });
    expect(most.seconds).toBe(2_831_155_200);
  });

  it.each([
    { bytes: 0, held: 0 },
    { bytes: 1, held: 1 },
    { bytes: 999, held: 1 },
    { bytes: 1000, held: 1 },
    { bytes: 1001, held: 2 },
    { bytes: 4_500_000, held: 4500 },
  ])('holds $held kilobytes for $bytes bytes', ({ bytes, held }) => {
    expect(kilobytes(bytes)).toBe(held);
  });
});

const account = { hpc: systemName('hpc_one'), project: projectName('proj_hpc_one_01') };
const now = new Date('2026-11-15T08:30:00Z');
const quota: Quota = {
  ...openQuota(
    {
      id: 1,
      user: userId('7'),
      project: { number: 1, hpc: account.hpc, name: account.project },
    },
    { seconds: 60, kilobytes: 30 },
  ),
  activeJobs: 2,
};

const judge = (change: Partial<Quota>, hold = { seconds: 60, kilobytes: 30 }, maxLivingJobs = 3) =>
  judgeHold(account, { ...quota, ...change }, hold, { maxLivingJobs, now });

describe('a hold', () => {
  it('of everything that remains, for the last allowed job, is accepted', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({ validUntil: new Date(now.getTime() + 1) })).toBeUndefined();
  });

  it('of more than remains is refused, and says what is missing', () => {
    const time = judge({}, { seconds: 61, kilobytes: 30 });
    expect(time).toBeInstanceOf(QuotaExceededError);
    expect(time).toMatchObject({
      asked: { seconds: 61, kilobytes: 30 },
      left: { seconds: 60, kilobytes: 30 },
    });
    expect(time?.message).toContain('61 seconds');
    expect(time?.message).not.toContain('kilobytes');
    const space = judge({}, { seconds: 60, kilobytes: 31 });
    expect(space?.message).toContain('31 kilobytes');
    expect(space?.message).not.toContain('seconds');
    const both = judge({}, { seconds: 61, kilobytes: 31 });
    expect(both?.message).toMatch(/61 seconds.*; 31 kilobytes/);
  });

  it.each([
    { what: 'the end of the quota', change: { validUntil: now }, error: QuotaExpiredError },
    { what: 'too many jobs', change: { activeJobs: 3 }, error: TooManyJobsError },
    { what: 'a ban here', change: { bans: { here: 'a loop' } }, error: SubmissionBannedError },
    {
      what: 'a ban everywhere',
      change: { bans: { everywhere: 'a loop' } },
      error: SubmissionBannedError,
    },
  ])('is refused by $what', ({ change, error }) => {
    expect(judge(change)).toBeInstanceOf(error);
  });

  it('from a quota that has ended is refused with the day of its end', () => {
    expect(judge({ validUntil: now })?.message).toContain('until 2026-11-15.');
  });

  it('is refused without a quota', () => {
    const hold = { seconds: 0, kilobytes: 0 };
    expect(judgeHold(account, undefined, hold, { maxLivingJobs: 1, now })).toBeInstanceOf(
      NoQuotaError,
    );
  });

  it('is refused for one reason: the wider ban, then the ban, then the end, then the jobs', () => {
    const tooMuch = { seconds: 99, kilobytes: 99 };
    const all = {
      bans: { here: 'here', everywhere: 'everywhere' },
      validUntil: now,
      activeJobs: 3,
    };
    expect(judge(all, tooMuch)).toMatchObject({ reason: 'everywhere' });
    expect(judge({ ...all, bans: { here: 'here' } }, tooMuch)).toMatchObject({ reason: 'here' });
    expect(judge({ ...all, bans: {} }, tooMuch)).toBeInstanceOf(QuotaExpiredError);
    expect(judge({ activeJobs: 4 }, tooMuch)).toMatchObject({ limit: 3, count: 4 });
  });
});

const hold = { seconds: 14_400, kilobytes: 7 };

describe('computeSettlement', () => {
  it.each([
    { ran: 0, used: 0 },
    { ran: 0.1, used: 1 },
    { ran: 1, used: 2 },
    { ran: 3600, used: 7200 },
    { ran: 7199.9, used: 14_400 },
    { ran: 7200, used: 14_400 },
    { ran: 9000, used: 14_400 },
  ])('charges $used of 14400 seconds for $ran of two hours', ({ ran, used }) => {
    expect(computeSettlement(hold, 2, ran)).toEqual({ used, returned: 14_400 - used });
  });

  it('returns everything, and no more, if the clock went backwards', () => {
    expect(computeSettlement(hold, 2, -1)).toEqual({ used: 0, returned: 14_400 });
    expect(computeSettlement(hold, 2, -90_000)).toEqual({ used: 0, returned: 14_400 });
  });

  it('drops the noise of doubles', () => {
    expect(computeSettlement({ seconds: 1080, kilobytes: 0 }, 0.1, 120)).toEqual({
      used: 360,
      returned: 720,
    });
    expect(computeSettlement({ seconds: 3, kilobytes: 0 }, 0.1, 120).used).toBe(1);
  });

  it('never charges more than the hold, and never loses a second', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 3_000_000_000 }),
        fc.double({ min: 0.001, max: 24, noNaN: true }),
        fc.double({ min: -100_000, max: 100_000, noNaN: true }),
        (seconds, hours, ran) => {
          const { used, returned } = computeSettlement({ seconds, kilobytes: 0 }, hours, ran);
          expect(used + returned).toBe(seconds);
          expect(used).toBeGreaterThanOrEqual(0);
          expect(returned).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
