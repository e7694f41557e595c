export const renewalPeriods = ['monthly', 'quarterly', 'yearly'] as const;

export type RenewalPeriod = (typeof renewalPeriods)[number];

/** The last day that every month has. */
export const lastRenewalDay = 28;

/** When a quota renews: at 00:00 UTC of a day of the month. */
export interface RenewalCalendar {
  readonly every: RenewalPeriod;
  /** The day of the month, 1 to 28. */
  readonly on: number;
  /** The month that quarters and years start from, 1 to 12; 1 for a monthly renewal. */
  readonly month: number;
}

/** When a quota renews, and to what. */
export interface Renewal extends RenewalCalendar {
  /** What is granted each time. */
  readonly to: { readonly seconds: number; readonly kilobytes: number };
  /** The most that is kept of what remains. The rest lapses. */
  readonly carryOver: { readonly seconds: number; readonly kilobytes: number };
}
