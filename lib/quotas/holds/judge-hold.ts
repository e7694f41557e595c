import type { ProjectKey } from '#lib/table/keys.ts';
import {
  type HoldRefusedError,
  NoQuotaError,
  ProjectClosedError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
  TooManyJobsError,
} from '../errors.ts';
import type { Hold, Quota } from '../quota.ts';

/** What a hold is measured by, beside the quota itself. */
export interface HoldRules {
  /** How many jobs of a project one caller may have living at once. */
  readonly maxLivingJobs: number;
  /** Whether the project is closed: then none may begin. */
  readonly closed?: boolean | undefined;
  readonly now: Date;
}

/**
 * Why a job may not be held against a quota; nothing where it may. The same rules stand as the
 * condition of the write (hold-quota), which alone decides: this explains it, before or after.
 */
export function judgeHold(
  account: ProjectKey,
  quota: Quota | undefined,
  hold: Hold,
  { maxLivingJobs, closed, now }: HoldRules,
): HoldRefusedError | undefined {
  if (closed) return new ProjectClosedError(account);
  if (!quota) return new NoQuotaError(account);
  const { bans, validUntil, livingJobs, time, space } = quota;
  const ban = bans.everywhere ?? bans.here;
  if (ban !== undefined) return new SubmissionBannedError(account, ban);
  if (validUntil && validUntil <= now) return new QuotaExpiredError(account, validUntil);
  if (livingJobs >= maxLivingJobs) return new TooManyJobsError(account, maxLivingJobs, livingJobs);
  if (hold.seconds > time.left || hold.kilobytes > space.left) {
    return new QuotaExceededError(account, hold, { seconds: time.left, kilobytes: space.left });
  }
  return undefined;
}
