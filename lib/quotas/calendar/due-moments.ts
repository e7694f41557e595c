import { quotaDueKeys } from '#lib/table/keys.ts';
import type { Quota } from '../quota.ts';
import { nextExpiryMoment } from './expiry-moments.ts';

const week = 7 * 24 * 3600 * 1000;

/** What of a quota the clock has to do with. */
export type QuotaCalendar = Pick<Quota, 'validUntil' | 'renewal'>;

/** When a quota will renew; never where it has none, or ends before. */
export function upcomingRenewal({ validUntil, renewal }: QuotaCalendar): Date | undefined {
  if (!renewal || (validUntil && validUntil <= renewal.next)) return undefined;
  return renewal.next;
}

/** From when on somebody is told that a quota renews. */
export function announcementOf(renewal: Date): Date {
  return new Date(renewal.getTime() - week);
}

/**
 * When a quota is next taken up: the next of all its moments. What lies in the past is skipped, but
 * for an end and a renewal, which are done however late it is.
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

/** Where the clock finds a quota; nowhere where nothing will ever be due. */
export function dueKeysOf(quotaId: number, calendar: QuotaCalendar, at: Date) {
  const moment = nextDueMoment(calendar, at);
  return moment && quotaDueKeys(quotaId, moment.toISOString());
}
