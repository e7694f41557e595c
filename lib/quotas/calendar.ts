import { dueKeys } from '#lib/table/keys.ts';
import type { Quota } from './quota.ts';

const day = 24 * 3600 * 1000;
const week = 7 * day;

/** The part of a quota that depends on the date. */
export type QuotaCalendar = Pick<Quota, 'validUntil' | 'renewal'>;

/** Returns when a quota will renew, or undefined if it has no renewal or ends first. */
export function upcomingRenewal({ validUntil, renewal }: QuotaCalendar): Date | undefined {
  if (!renewal || (validUntil && validUntil <= renewal.next)) return undefined;
  return renewal.next;
}

/** Returns the moment from which users are told of a renewal. */
export function announcementOf(renewal: Date): Date {
  return new Date(renewal.getTime() - week);
}

/**
 * Returns when a sweep has to handle the quota next. Warnings and announcements in the past are
 * skipped. An end or a renewal in the past is not: it is carried out, however late.
 */
export function nextDueMoment(calendar: QuotaCalendar, now: Date): Date | undefined {
  const { validUntil } = calendar;
  const renewal = upcomingRenewal(calendar);
  const moments = [
    ...(validUntil ? [nextExpiryMoment(validUntil, now)] : []),
    ...(renewal ? [announcementOf(renewal) > now ? announcementOf(renewal) : renewal] : []),
  ];
  const [first] = moments.sort((one, other) => one.getTime() - other.getTime());
  return first;
}

/** Builds the keys of the due index, or returns undefined if the quota will never be due. */
export function dueKeysOf(quotaId: number, calendar: QuotaCalendar, at: Date) {
  const moment = nextDueMoment(calendar, at);
  return moment && dueKeys('EXPIRY', moment, quotaId);
}

/** How long before the end of a quota its user is warned, earliest warning first. */
export const expiryStages = [
  { name: 'month', days: 30 },
  { name: 'week', days: 7 },
  { name: 'day', days: 1 },
] as const;

export type ExpiryStage = (typeof expiryStages)[number]['name'];

/** Returns the moment of the next warning, or the end itself if all warnings are past. */
export function nextExpiryMoment(validUntil: Date, now: Date): Date {
  const end = validUntil.getTime();
  const warnings = expiryStages.map(({ days }) => end - days * day);
  return new Date(warnings.find((moment) => moment > now.getTime()) ?? end);
}

/** Returns the latest warning whose moment has come, if any. */
export function reachedStage(validUntil: Date, now: Date): ExpiryStage | undefined {
  const remaining = validUntil.getTime() - now.getTime();
  return expiryStages.findLast(({ days }) => remaining <= days * day)?.name;
}

/** Counts the days until the end, rounded up. */
export function daysUntil(validUntil: Date, now: Date): number {
  return Math.max(0, Math.ceil((validUntil.getTime() - now.getTime()) / day));
}

export function aDayLater(now: Date): Date {
  return new Date(now.getTime() + day);
}
