import type { Renewal } from '#lib/catalog/renewal.ts';
import { upcomingRenewal } from '#lib/quotas/calendar.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { timestamp } from '../values/timestamp.ts';
import { presentAmount } from './present-amount.ts';

/** How a quota renews, and when next: null where the quota ends before. */
export function presentRenewal(quota: Quota) {
  if (!quota.renewal) return null;
  const next = upcomingRenewal(quota);
  return { ...presentRenewalRule(quota.renewal.rule), next: next ? timestamp(next) : null };
}

/** As an administrator sends it. */
export function presentRenewalRule({ every, on, month, to, carryOver }: Renewal) {
  return {
    every,
    on,
    ...(every !== 'monthly' && { month }),
    to: presentAmount(to),
    carry_over: presentAmount(carryOver),
  };
}
