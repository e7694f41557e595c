import type { Amount, Quota } from '../quota.ts';
import type { ExpiringQuota } from './expiring-quota.ts';
import { aDayLater, type ExpiryStage, nextExpiryMoment, reachedStage } from './expiry-moments.ts';

/** What is to be done about a quota that is due, and when it is due again. */
export type ExpiryPlan =
  | { readonly kind: 'wait'; readonly dueAgain: Date | undefined }
  | { readonly kind: 'warn'; readonly stage: ExpiryStage; readonly dueAgain: Date }
  | {
      readonly kind: 'take-back';
      readonly left: Amount;
      readonly endedAt: Date;
      readonly dueAgain: Date | undefined;
    };

/** Of several warnings that were missed only the last is given: the others have lost their sense. */
export function planExpiry({ quota, warned }: ExpiringQuota, now: Date): ExpiryPlan {
  const { validUntil } = quota;
  if (!validUntil) return { kind: 'wait', dueAgain: undefined };
  if (validUntil <= now) return planEnd(quota, validUntil, now);
  const dueAgain = nextExpiryMoment(validUntil, now);
  const stage = reachedStage(validUntil, now);
  return stage === undefined || stage === warned
    ? { kind: 'wait', dueAgain }
    : { kind: 'warn', stage, dueAgain };
}

/**
 * What jobs hold is theirs beyond the end. What they give back later is left again, and nobody can
 * use it; so while anything is held, the account is looked at every day and that is taken back too.
 */
function planEnd({ time, space }: Quota, endedAt: Date, now: Date): ExpiryPlan {
  const dueAgain = time.held > 0 || space.held > 0 ? aDayLater(now) : undefined;
  const left = { seconds: Math.max(0, time.left), kilobytes: Math.max(0, space.left) };
  return left.seconds > 0 || left.kilobytes > 0
    ? { kind: 'take-back', left, endedAt, dueAgain }
    : { kind: 'wait', dueAgain };
}
