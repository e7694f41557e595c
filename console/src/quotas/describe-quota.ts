import {
  type Charging,
  joinLeft,
  nameUnit,
  writeNodeTime,
  writeShares,
} from '#client/src/format/amounts/amounts.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import type { Quota } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { phrase } from './words.ts';

/** Writes `4,999 of 5,000 node-hours left`. */
export function describeTime(quota: Quota, charging: Charging): string {
  const { usage } = quota;
  if (!usage) return phrase('left', { time: writeNodeTime(quota.time_left, charging) });
  return shareTime(usage.time, charging).said;
}

interface Shares {
  readonly left: number;
  readonly held: number;
  readonly used: number;
}

/** Says what is left of a quota, used and reserved, in numbers that add up. */
export function shareTime({ left, held, used }: Shares, charging: Charging) {
  const shares = writeShares([left, used, held], charging);
  return {
    said: sayLeft(shares, charging),
    used: phrase('used', { time: shares.times[1] ?? '' }),
    held: phrase('reserved', { time: shares.times[2] ?? '' }),
  };
}

export function sayLeft(shares: ReturnType<typeof writeShares>, charging: Charging): string {
  return phrase('leftOf', { left: joinLeft(shares), unit: nameUnit(charging) });
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
    const day = writeDay(until);
    const words = isOver(until, now) ? phrase('ended', { day }) : phrase('ends', { day });
    remarks.push({ words, pressing: isSoon(until, now) });
  }
  if (renews?.next) {
    const words = phrase('renews', {
      every: term(renews.every),
      amount: writeNodeTime(renews.to.time, charging),
      day: writeDay(renews.next),
    });
    remarks.push({ words, pressing: false });
  }
  if (isNearlyUsedUp(quota)) remarks.push({ words: phrase('nearlyUsedUp'), pressing: true });
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

/** One week decides how early or late a quota could run out. */
const weekDays = 7;

/**
 * Predicts the earliest and the latest end from the busiest and the quietest week among the last
 * days. Returns undefined if a week has no usage, because then nobody knows how late it could be.
 */
export function forecastRange(
  left: number,
  usedByDay: readonly number[],
  now: Date,
): { readonly earliest: Date; readonly latest: Date } | undefined {
  const weeks = Array.from({ length: Math.floor(usedByDay.length / weekDays) }, (_, index) => {
    const end = usedByDay.length - index * weekDays;
    return usedByDay.slice(end - weekDays, end).reduce((sum, used) => sum + used, 0);
  });
  if (weeks.length < 2) return undefined;
  const whole = usedByDay.reduce((sum, used) => sum + used, 0);
  // The days before the first whole week count, too, so the range always has the estimate in it.
  const rates = [...weeks, (whole / usedByDay.length) * weekDays];
  const at = (used: number) => forecastEnd(left, { used, days: weekDays }, now);
  const earliest = at(Math.max(...rates));
  const latest = at(Math.min(...rates));
  return earliest && latest && { earliest, latest };
}

/** Writes `At this rate it lasts until 12 March 2027, at the earliest until 3 March 2027.` */
export function describeForecast(
  left: number,
  usedByDay: readonly number[],
  now: Date,
): string | undefined {
  const used = usedByDay.reduce((sum, each) => sum + each, 0);
  const last = forecastEnd(left, { used, days: usedByDay.length }, now);
  if (!last) return undefined;
  const write = (moment: Date) => writeDay(moment.toISOString());
  const range = forecastRange(left, usedByDay, now);
  const [end, earliest, latest] = [
    write(last),
    write(range?.earliest ?? last),
    write(range?.latest ?? last),
  ];
  return earliest === latest
    ? phrase('lastsUntil', { end })
    : phrase('lastsBetween', { end, earliest, latest });
}
