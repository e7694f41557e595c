import type { Settlement } from '#lib/charging/charge-job.ts';
import { type Change, changeOf, writeChange } from '#lib/table/change.ts';
import { type AccountKey, type ProjectKey, quotaKey } from '#lib/table/keys.ts';
import type { Step } from '#lib/table/transaction.ts';
import {
  type HoldRefusedError,
  NoQuotaError,
  NotMemberError,
  ProjectClosedError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
  TooManyJobsError,
} from './errors.ts';
import type { Hold, Quota } from './quota.ts';
import { quotaFromItem } from './quota-item.ts';

export function kilobytesOf(bytes: number): number {
  return Math.ceil(bytes / 1000);
}

/** The limits of a hold besides the quota itself. */
export interface HoldRules {
  /** The most active jobs that a user may have in a project. */
  readonly maxLivingJobs: number;
  /** How many jobs the hold is for. One by default. */
  readonly jobs?: number | undefined;
  /** A closed project takes no new jobs. */
  readonly closed?: boolean | undefined;
  /** True if a group in the caller's token makes the caller a member of the project. */
  readonly joins?: boolean | undefined;
  readonly now: Date;
}

/**
 * Returns why a quota refuses a hold, or undefined if it does not. The condition of holdQuota
 * decides by the same rules. This function only explains the decision, before or after the write.
 */
export function judgeHold(
  account: ProjectKey,
  quota: Quota | undefined,
  hold: Hold,
  { maxLivingJobs, jobs = 1, closed, joins, now }: HoldRules,
): HoldRefusedError | undefined {
  if (closed) return new ProjectClosedError(account);
  if (!quota) return new NoQuotaError(account);
  if (quota.throughGroup && !joins) return new NotMemberError(account);
  const refusal = judgeSubmitter(account, quota, now);
  if (refusal) return refusal;
  const { activeJobs, time, space } = quota;
  if (activeJobs + jobs > maxLivingJobs) {
    return new TooManyJobsError(account, maxLivingJobs, activeJobs, jobs);
  }
  if (hold.seconds > time.left || hold.kilobytes > space.left) {
    return new QuotaExceededError(account, hold, { seconds: time.left, kilobytes: space.left });
  }
  return undefined;
}

/** Returns why a user may not submit at all, however small the job: a ban, or an ended quota. */
export function judgeSubmitter(
  account: ProjectKey,
  { bans, validUntil }: Quota,
  now: Date,
): HoldRefusedError | undefined {
  const ban = bans.everywhere ?? bans.here;
  if (ban !== undefined) return new SubmissionBannedError(account, ban);
  return validUntil && validUntil <= now ? new QuotaExpiredError(account, validUntil) : undefined;
}

/**
 * Takes a hold from a quota. The condition and the change are one write, so concurrent submissions
 * cannot oversell a quota. judgeHold explains a refusal.
 */
export function holdQuota(account: AccountKey, hold: Hold, rules: HoldRules): Step {
  const amounts = {
    time_left: -hold.seconds,
    time_held: hold.seconds,
    space_left: -hold.kilobytes,
    space_held: hold.kilobytes,
  };
  const fits = ['time_left >= :added_time_held', 'space_left >= :added_space_held'];
  return countJobs(account, { add: amounts, when: fits }, hold, rules);
}

/** Counts jobs in a quota that may have them, with a change of its amounts. */
export function countJobs(
  account: AccountKey,
  { add, when = [] }: Pick<Change, 'add' | 'when'>,
  hold: Hold,
  rules: HoldRules,
): Step {
  const { maxLivingJobs, jobs = 1, closed, joins, now } = rules;
  return {
    Update: {
      Key: quotaKey(account),
      ...writeChange({
        add: { ...add, living_jobs: jobs },
        when: [
          ...when,
          'living_jobs <= :others',
          'attribute_not_exists(banned_here)',
          'attribute_not_exists(banned_everywhere)',
          '(attribute_not_exists(valid_until) OR valid_until > :now)',
          ...(joins ? [] : ['attribute_not_exists(through_group)']),
        ],
        values: { ':others': closed ? -1 : maxLivingJobs - jobs, ':now': now.toISOString() },
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    refuse: (stored) =>
      judgeHold(account, stored && quotaFromItem(stored), hold, rules) ??
      new Error(
        `The quota of ${account.user} in ${account.project} refused a hold for no known reason.`,
      ),
  };
}

/** Takes more space for a job that already has its hold, as far as some remains. */
export function holdSpace(account: AccountKey, kilobytes: number): Step {
  return {
    Update: {
      Key: quotaKey(account),
      ...writeChange({
        add: { space_left: -kilobytes, space_held: kilobytes },
        when: ['space_left >= :added_space_held'],
      }),
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    },
    refuse: (stored) => {
      const left = stored ? quotaFromItem(stored).space.left : 0;
      const asked = { seconds: 0, kilobytes };
      return new QuotaExceededError(account, asked, { seconds: 0, kilobytes: left });
    },
  };
}

/** How the hold of a job, or of several that never ran, is given up. */
export interface SettledHold extends Settlement {
  readonly kilobytes: number;
  /** How many jobs end. None if only the space of an ended one is released. */
  readonly jobs: number;
}

/** Moves held time to `used` and `left`, and its held space back to `left`. */
export function settleQuota(account: AccountKey, settled: SettledHold): Step {
  const { used, returned, kilobytes, jobs } = settled;
  return {
    Update: changeOf(quotaKey(account), {
      add: {
        time_left: returned,
        time_held: -(used + returned),
        time_used: used,
        space_left: kilobytes,
        space_held: -kilobytes,
        living_jobs: -jobs,
      },
      when: ['time_held >= :time', 'space_held >= :added_space_left', 'living_jobs >= :jobs'],
      values: { ':time': used + returned, ':jobs': jobs },
    }),
    refuse: () =>
      new Error(
        `The quota of ${account.user} in ${account.project} holds less than is to be settled.`,
      ),
  };
}
