import type { RenewalCalendar, RenewalPeriod } from '#lib/catalog/renewal.ts';

const monthsBetween: Record<RenewalPeriod, number> = { monthly: 1, quarterly: 3, yearly: 12 };

/**
 * The first moment of renewal after another moment, and never that moment itself. However many lie
 * in between, they are passed over: a renewal that was missed is not made up for.
 */
export function nextRenewal({ every, on, month }: RenewalCalendar, after: Date): Date {
  const step = monthsBetween[every];
  const year = after.getUTCFullYear();
  const thisMonth = after.getUTCMonth() + 1;
  // Months since the last one in which it renews; JavaScript's own remainder may be negative.
  const passed = (thisMonth - month + 12) % step;
  const inMonth = (number: number) => new Date(Date.UTC(year, number - 1, on));
  const candidate = inMonth(thisMonth - passed);
  return candidate > after ? candidate : inMonth(thisMonth - passed + step);
}
