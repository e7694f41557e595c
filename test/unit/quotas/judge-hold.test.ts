import { describe, expect, it } from 'vitest';
import {
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
  TooManyJobsError,
} from '#lib/quotas/errors.ts';
import { judgeHold } from '#lib/quotas/holds/judge-hold.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { projectName, systemName, userId } from '#test/fixtures/names.ts';

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
  livingJobs: 2,
};

const judge = (change: Partial<Quota>, hold = { seconds: 60, kilobytes: 30 }, maxLivingJobs = 3) =>
  judgeHold(account, { ...quota, ...change }, hold, { maxLivingJobs, now });

describe('a hold', () => {
  it('of all that is left, as the last job that is allowed, is let through', () => {
    expect(judge({})).toBeUndefined();
    expect(judge({ validUntil: new Date(now.getTime() + 1) })).toBeUndefined();
  });

  it('of more than is left is refused, and told what is missing', () => {
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
    { what: 'too many jobs', change: { livingJobs: 3 }, error: TooManyJobsError },
    { what: 'a ban here', change: { bans: { here: 'a loop' } }, error: SubmissionBannedError },
    {
      what: 'a ban everywhere',
      change: { bans: { everywhere: 'a loop' } },
      error: SubmissionBannedError,
    },
  ])('is refused by $what', ({ change, error }) => {
    expect(judge(change)).toBeInstanceOf(error);
  });

  it('of a quota that has ended is told the day of its end', () => {
    expect(judge({ validUntil: now })?.message).toContain('until 2026-11-15.');
  });

  it('is refused where there is no quota', () => {
    const hold = { seconds: 0, kilobytes: 0 };
    expect(judgeHold(account, undefined, hold, { maxLivingJobs: 1, now })).toBeInstanceOf(
      NoQuotaError,
    );
  });

  it('is told one reason of many: the ban, of two bans the wider, then the end, then the jobs', () => {
    const tooMuch = { seconds: 99, kilobytes: 99 };
    const all = {
      bans: { here: 'here', everywhere: 'everywhere' },
      validUntil: now,
      livingJobs: 3,
    };
    expect(judge(all, tooMuch)).toMatchObject({ reason: 'everywhere' });
    expect(judge({ ...all, bans: { here: 'here' } }, tooMuch)).toMatchObject({ reason: 'here' });
    expect(judge({ ...all, bans: {} }, tooMuch)).toBeInstanceOf(QuotaExpiredError);
    expect(judge({ livingJobs: 4 }, tooMuch)).toMatchObject({ limit: 3, count: 4 });
  });
});
