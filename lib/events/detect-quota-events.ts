import type { Balance } from '../quotas/quota.ts';
import { quotaFromItem } from '../quotas/quota-item.ts';
import type { DetectedEvent, Resource } from './detected-event.ts';
import type { ItemChange } from './item-change.ts';

/** Percent of what was granted, ascending: of several that are crossed at once the lowest counts. */
const thresholds = [0, 10, 20];

const resources: readonly Resource[] = ['time', 'space'];

export function detectQuotaEvents({ id, at, oldItem, newItem }: ItemChange): DetectedEvent[] {
  if (oldItem === undefined) return [];
  const before = quotaFromItem(oldItem);
  const quota = quotaFromItem(newItem);
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

/** A grant can make the share smaller while more is left: that is no loss, and crosses nothing. */
function findCrossed(before: Balance, after: Balance): number | undefined {
  if (after.left >= before.left) return undefined;
  return thresholds.find((percent) => isAbove(before, percent) && !isAbove(after, percent));
}

function isAbove({ left, granted }: Balance, percent: number): boolean {
  return left * 100 > granted * percent;
}
