import type { RenewalPeriod } from '#lib/catalog/renewal.ts';
import {
  aDayLater,
  announcementOf,
  type ExpiryStage,
  nextDueMoment,
  reachedStage,
  upcomingRenewal,
} from '../calendar.ts';
import { type Amount, isNothing, type Quota } from '../quota.ts';
import { computeRenewal, nextRenewal, type RenewalAmounts } from '../renewal.ts';
import type { DueQuota } from './due-quota.ts';

/** Everything to do about a due quota, and when it is due again. */
export interface QuotaPlan {
  readonly warn?: ExpiryStage | undefined;
  /** The renewal to announce. */
  readonly announce?: Date | undefined;
  readonly renew?: PlannedRenewal | undefined;
  readonly takeBack?: { readonly left: Amount; readonly endedAt: Date } | undefined;
  readonly dueAgain: Date | undefined;
}

interface PlannedRenewal extends RenewalAmounts {
  readonly every: RenewalPeriod;
  /** The renewal's own moment, in the past. */
  readonly at: Date;
  /** The moment of the renewal after it, in the future. */
  readonly next: Date;
}

/** Plans what to do about a quota. A quota that has ended no longer renews. */
export function planQuota(due: DueQuota, now: Date): QuotaPlan {
  const { quota, warned, announced } = due;
  const { validUntil } = quota;
  if (validUntil && validUntil <= now) return planEnd(quota, validUntil, now);
  const renew = planRenewal(quota, now);
  const renewal = quota.renewal && renew ? { ...quota.renewal, next: renew.next } : quota.renewal;
  const afterwards = { ...quota, renewal };
  return {
    warn: planWarning(validUntil, warned, now),
    announce: planAnnouncement(upcomingRenewal(afterwards), announced, now),
    renew,
    dueAgain: nextDueMoment(afterwards, now),
  };
}

/** Plans one renewal, even if several moments have passed since the last one. */
function planRenewal(quota: Quota, now: Date): PlannedRenewal | undefined {
  const at = upcomingRenewal(quota);
  if (!quota.renewal || !at || at > now) return undefined;
  const { rule } = quota.renewal;
  return { ...computeRenewal(quota, rule), every: rule.every, at, next: nextRenewal(rule, now) };
}

/** Plans the latest warning that has not been given. Earlier ones that were missed are dropped. */
function planWarning(
  validUntil: Date | undefined,
  warned: ExpiryStage | undefined,
  now: Date,
): ExpiryStage | undefined {
  const stage = validUntil && reachedStage(validUntil, now);
  return stage === warned ? undefined : stage;
}

function planAnnouncement(
  renewal: Date | undefined,
  announced: Date | undefined,
  now: Date,
): Date | undefined {
  const isNear = renewal !== undefined && announcementOf(renewal) <= now;
  return isNear && renewal.getTime() !== announced?.getTime() ? renewal : undefined;
}

/**
 * Jobs keep their holds after the end of a quota. What they give back later cannot be used by
 * anyone, so while anything is held the quota stays due once a day to take that back, too.
 */
function planEnd({ time, space }: Quota, endedAt: Date, now: Date): QuotaPlan {
  const dueAgain = time.held > 0 || space.held > 0 ? aDayLater(now) : undefined;
  const left = { seconds: Math.max(0, time.left), kilobytes: Math.max(0, space.left) };
  return { ...(!isNothing(left) && { takeBack: { left, endedAt } }), dueAgain };
}
