import { writeDay } from '#client/src/format/write-day.ts';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeRest,
} from '#client/src/format/write-node-time.ts';
import type { Quota } from '#client/src/index.ts';

/** `4,999 of 5,000 node-hours left` */
export function describeTime(quota: Quota, charging: Charging): string {
  const { usage } = quota;
  if (!usage) return `${writeRest(quota.time_left, charging)} left`;
  return `${writeLeft(usage.time.left, usage.time.granted)} ${nameUnit(charging)} left`;
}

/** What somebody should know before they plan with it, the most pressing first. */
export function warnOf({ usage }: Quota, now: Date): readonly string[] {
  if (!usage) return [];
  const { banned, valid_until: until, renews, time } = usage;
  const warnings: string[] = [];
  if (banned !== null) warnings.push(`You may not submit here: ${banned}`);
  if (until !== null) {
    const over = Date.parse(until) <= now.getTime();
    warnings.push(over ? `It ended on ${writeDay(until)}.` : `It ends on ${writeDay(until)}.`);
  }
  if (renews?.next) warnings.push(`It renews on ${writeDay(renews.next)}.`);
  if (time.granted > 0 && time.left < time.granted / 10)
    warnings.push('Less than a tenth is left.');
  return warnings;
}
