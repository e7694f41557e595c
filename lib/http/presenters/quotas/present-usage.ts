import type { Balance, Quota } from '#lib/quotas/quota.ts';
import { float } from '../values/float.ts';
import { timestamp } from '../values/timestamp.ts';
import { presentQuota } from './present-quota.ts';
import { presentRenewal } from './present-renewal.ts';

/** A quota as the interface shows it, and how it came to be what is left. */
export function presentQuotaWithUsage(quota: Quota) {
  return { ...presentQuota(quota), usage: presentUsage(quota) };
}

/** As much of a quota as was asked for. */
export function choosePresenter(expand: 'usage' | undefined) {
  return expand === 'usage' ? presentQuotaWithUsage : presentQuota;
}

export function presentUsage(quota: Quota) {
  const { time, space, livingJobs, validUntil, bans } = quota;
  return {
    time: presentBalance(time, (seconds) => seconds),
    space: presentBalance(space, float),
    living_jobs: livingJobs,
    valid_until: validUntil ? timestamp(validUntil) : null,
    renews: presentRenewal(quota),
    banned: bans.everywhere ?? bans.here ?? null,
  };
}

function presentBalance<Shown>(balance: Balance, show: (amount: number) => Shown) {
  const { granted, left, held, used } = balance;
  return { granted: show(granted), left: show(left), held: show(held), used: show(used) };
}
