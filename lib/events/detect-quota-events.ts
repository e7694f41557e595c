import { daysUntil } from '#lib/quotas/calendar.ts';
import { type DueQuota, dueQuotaFromItem } from '#lib/quotas/due-quota.ts';
import { computeRenewal } from '#lib/quotas/renewal.ts';
import type { DetectedEvent, Resource } from './detected-event.ts';
import type { ItemChange } from './item-change.ts';

/** Percent of what was granted, ascending: of several that are crossed at once the lowest counts. */
const thresholds = [0, 10, 20];

const resources: readonly Resource[] = ['time', 'space'];

export function detectQuotaEvents(change: ItemChange): DetectedEvent[] {
  if (change.oldItem === undefined) return [];
  const before = dueQuotaFromItem(change.oldItem);
  const after = dueQuotaFromItem(change.newItem);
  const renewed = detectRenewal(change, before, after);
  return [
    ...renewed,
    // A renewal says itself what is left, even where that is little.
    ...(renewed.length > 0 ? [] : detectLows(change, before, after)),
    ...detectWarning(change, before, after),
    ...detectAnnouncement(change, before, after),
  ];
}

function detectLows({ id, at }: ItemChange, before: DueQuota, after: DueQuota): DetectedEvent[] {
  const { quota } = after;
  return resources.flatMap((resource) => {
    const share = shareOf(after, resource);
    const thresholdPercent = findCrossed(shareOf(before, resource), share);
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
            granted: share.granted,
          },
        ];
  });
}

interface Share {
  readonly left: number;
  readonly granted: number;
}

/** Of a quota that renews, what was used in earlier periods says nothing about this one. */
function shareOf({ quota, usedBefore }: DueQuota, resource: Resource): Share {
  const { left, granted } = quota[resource];
  return { left, granted: resource === 'time' ? granted - usedBefore : granted };
}

/** A quota that was prolonged has no warning any more: that is no event, and the next one is. */
function detectWarning(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, warned }: DueQuota,
): DetectedEvent[] {
  const { user: owner, validUntil } = quota;
  if (warned === undefined || warned === before.warned || !validUntil) return [];
  const daysLeft = daysUntil(validUntil, at);
  return [
    { type: 'quota.expiring', id: `quota-expiring-${id}`, owner, at, quota, validUntil, daysLeft },
  ];
}

/** What would lapse if it renewed now: whatever is done until then changes it. */
function detectAnnouncement(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, announced }: DueQuota,
): DetectedEvent[] {
  const { user: owner, renewal } = quota;
  if (!renewal || !announced || isSameMoment(announced, before.announced)) return [];
  const outcome = computeRenewal(quota, renewal.rule);
  return [
    {
      type: 'quota.renewing',
      id: `quota-renewing-${id}`,
      owner,
      at,
      quota,
      renewsAt: announced,
      outcome,
    },
  ];
}

/** It was made by the rule and from what was left before: that is the condition of its write. */
function detectRenewal(
  { id, at }: ItemChange,
  before: DueQuota,
  { quota, renewedAt }: DueQuota,
): DetectedEvent[] {
  const { renewal } = before.quota;
  if (!renewal || !quota.renewal || !renewedAt) return [];
  if (isSameMoment(renewedAt, before.renewedAt)) return [];
  return [
    {
      type: 'quota.renewed',
      id: `quota-renewed-${id}`,
      owner: quota.user,
      at,
      quota,
      renewedAt,
      next: quota.renewal.next,
      outcome: computeRenewal(before.quota, renewal.rule),
    },
  ];
}

function isSameMoment(one: Date, other: Date | undefined): boolean {
  return one.getTime() === other?.getTime();
}

/** A grant can make the share smaller while more is left: that is no loss, and crosses nothing. */
function findCrossed(before: Share, after: Share): number | undefined {
  if (after.left >= before.left) return undefined;
  return thresholds.find((percent) => isAbove(before, percent) && !isAbove(after, percent));
}

function isAbove({ left, granted }: Share, percent: number): boolean {
  return left * 100 > granted * percent;
}
