import { type ExpiringQuota, expiringFromItem } from '#lib/quotas/expiry/expiring-quota.ts';
import { daysUntil } from '#lib/quotas/expiry/expiry-moments.ts';
import type { Balance, Quota } from '#lib/quotas/quota.ts';
import type { DetectedEvent, Resource } from './detected-event.ts';
import type { ItemChange } from './item-change.ts';

/** Percent of what was granted, ascending: of several that are crossed at once the lowest counts. */
const thresholds = [0, 10, 20];

const resources: readonly Resource[] = ['time', 'space'];

export function detectQuotaEvents(change: ItemChange): DetectedEvent[] {
  if (change.oldItem === undefined) return [];
  const before = expiringFromItem(change.oldItem);
  const after = expiringFromItem(change.newItem);
  return [
    ...detectLows(change, before.quota, after.quota),
    ...detectWarning(change, before, after),
  ];
}

function detectLows({ id, at }: ItemChange, before: Quota, quota: Quota): DetectedEvent[] {
  return resources.flatMap((resource) => {
    const thresholdPercent = findCrossed(before[resource], quota[resource]);
    return thresholdPercent === undefined
      ? []
      : [
          {
            type: 'quota.low' as const,
            id: `quota-${resource}-${id}`,
            owner: quota.user,
            at,
            quota,
            resource,
            thresholdPercent,
          },
        ];
  });
}

/** A quota that was prolonged has no warning any more: that is no event, and the next one is. */
function detectWarning(
  { id, at }: ItemChange,
  before: ExpiringQuota,
  { quota, warned }: ExpiringQuota,
): DetectedEvent[] {
  const { user: owner, validUntil } = quota;
  if (warned === undefined || warned === before.warned || !validUntil) return [];
  const daysLeft = daysUntil(validUntil, at);
  return [
    { type: 'quota.expiring', id: `quota-expiring-${id}`, owner, at, quota, validUntil, daysLeft },
  ];
}

/** A grant can make the share smaller while more is left: that is no loss, and crosses nothing. */
function findCrossed(before: Balance, after: Balance): number | undefined {
  if (after.left >= before.left) return undefined;
  return thresholds.find((percent) => isAbove(before, percent) && !isAbove(after, percent));
}

function isAbove({ left, granted }: Balance, percent: number): boolean {
  return left * 100 > granted * percent;
}
