import {
  type Charging,
  nameUnit,
  writeLeft,
  writeNodeTime,
  writeRest,
} from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import type { Quota } from '#client/src/index.ts';

/** Writes `4,999 of 5,000 node-hours left`. */
export function describeTime(quota: Quota, charging: Charging): string {
  const { usage } = quota;
  if (!usage) return `${writeRest(quota.time_left, charging)} left`;
  return `${writeLeft(usage.time.left, usage.time.granted)} ${nameUnit(charging)} left`;
}

const soonMs = 14 * 24 * 3_600_000;

export function isSoon(moment: string, now: Date): boolean {
  return Date.parse(moment) - now.getTime() < soonMs;
}

export function isOver(moment: string, now: Date): boolean {
  return Date.parse(moment) <= now.getTime();
}

/** True if less than a tenth of the grant is left. */
export function isNearlyUsedUp({ usage }: Quota): boolean {
  return usage !== undefined && usage.time.left < usage.time.granted / 10;
}

export interface Remark {
  readonly words: string;
  /** Whether somebody should act on it now. */
  readonly pressing: boolean;
}

/** Lists what the user should know before planning with the quota. */
export function remarkOn(quota: Quota, charging: Charging, now: Date): readonly Remark[] {
  if (!quota.usage) return [];
  const { valid_until: until, renews } = quota.usage;
  const remarks: Remark[] = [];
  if (until !== null) {
    const verb = isOver(until, now) ? 'Ended' : 'Ends';
    remarks.push({ words: `${verb} on ${writeDay(until)}.`, pressing: isSoon(until, now) });
  }
  if (renews?.next) {
    const amount = writeNodeTime(renews.to.time, charging);
    const words = `Renews ${renews.every} to ${amount}, next on ${writeDay(renews.next)}.`;
    remarks.push({ words, pressing: false });
  }
  if (isNearlyUsedUp(quota)) remarks.push({ words: 'Less than a tenth is left.', pressing: true });
  return remarks;
}

const day = 86_400_000;

/**
 * Predicts when the quota runs out at the recent rate. Returns undefined if nothing was used, or if
 * it lasts for more than two years.
 */
export function forecastEnd(
  left: number,
  usedInDays: { readonly used: number; readonly days: number },
  now: Date,
): Date | undefined {
  const perDay = usedInDays.used / usedInDays.days;
  if (perDay <= 0) return undefined;
  const days = left / perDay;
  return days > 730 ? undefined : new Date(now.getTime() + days * day);
}
