import { isDeepStrictEqual } from 'node:util';
import type { Renewal } from '#lib/catalog/renewal.ts';
import type { QuotaCalendar } from '../calendar/due-moments.ts';
import { nextRenewal } from '../calendar/next-renewal.ts';

/** What an administrator wants of a quota's end and renewal; what is not named stays as it is. */
export interface CalendarChange {
  /** Nothing where the end stays; null where there is none from now on. */
  readonly validUntil?: Date | null | undefined;
  /** Nothing where it renews as before, or does not; null where it does not from now on. */
  readonly renews?: Renewal | null | undefined;
}

export function planCalendar(
  before: QuotaCalendar,
  { validUntil, renews }: CalendarChange,
  at: Date,
): QuotaCalendar {
  const end = validUntil === undefined ? before.validUntil : (validUntil ?? undefined);
  const rule = renews === undefined ? before.renewal?.rule : renews;
  if (!rule) return { validUntil: end, renewal: undefined };
  // What is prolonged after its end does not make up for renewals in between.
  const resumes = hasEnded(before.validUntil, at) && !hasEnded(end, at);
  const kept = resumes ? undefined : keepMoment(before.renewal, rule);
  return { validUntil: end, renewal: { rule, next: kept ?? nextRenewal(rule, at) } };
}

export function isSameCalendar(one: QuotaCalendar, other: QuotaCalendar): boolean {
  return (
    one.validUntil?.getTime() === other.validUntil?.getTime() &&
    isDeepStrictEqual(one.renewal, other.renewal)
  );
}

/**
 * Where amounts alone change, the next moment stays, even one that has come and waits for the
 * clock: a change must neither skip a renewal nor bring one about twice.
 */
function keepMoment(renewal: QuotaCalendar['renewal'], rule: Renewal): Date | undefined {
  if (!renewal) return undefined;
  const { every, on, month } = renewal.rule;
  const isSame = every === rule.every && on === rule.on && month === rule.month;
  return isSame ? renewal.next : undefined;
}

export function hasEnded(validUntil: Date | undefined, at: Date): boolean {
  return validUntil !== undefined && validUntil <= at;
}
