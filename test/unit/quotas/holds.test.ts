import { describe, expect, it } from 'vitest';
import {
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import { judgeHold, kilobytesOf } from '#lib/quotas/holds.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';

describe('kilobytesOf', () => {
  it.each([
    { bytes: 0, held: 0 },
    { bytes: 1, held: 1 },
    { bytes: 999, held: 1 },
    { bytes: 1000, held: 1 },
    { bytes: 1001, held: 2 },
    { bytes: 4_500_000, held: 4500 },
  ])('counts $held kilobytes for $bytes bytes', ({ bytes, held }) => {
    expect(kilobytesOf(bytes)).toBe(held);
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
      facts: { asked: { time: 61, space: 30 }, left: { time: 60, space: 30 } },
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
    const narrower = { ...all, bans: { here: 'here' } };
    expect(judge(all, tooMuch)).toMatchObject({ facts: { reason: 'everywhere' } });
    expect(judge(narrower, tooMuch)).toMatchObject({ facts: { reason: 'here' } });
    expect(judge({ ...all, bans: {} }, tooMuch)).toBeInstanceOf(QuotaExpiredError);
    expect(judge({ activeJobs: 4 }, tooMuch)).toMatchObject({ facts: { limit: 3, count: 4 } });
  });
});
