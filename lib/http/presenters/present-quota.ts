import type { Renewal } from '#lib/catalog/renewal.ts';
import { upcomingRenewal } from '#lib/quotas/calendar.ts';
import type { RowResult } from '#lib/quotas/grants/grant-rows.ts';
import type { Amount, Balance, Quota } from '#lib/quotas/quota.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import { float, timestamp } from './values.ts';

/** Interface 2.3, field for field. */
export function presentQuota({ id, user, project, time, space }: Quota) {
  return {
    id,
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    space_left: float(space.left),
    time_left: time.left,
    user,
  };
}

/** Adds to a quota how its remaining amounts came about. */
export function presentQuotaWithUsage(quota: Quota) {
  return { ...presentQuota(quota), usage: presentUsage(quota) };
}

export function choosePresenter(expand: 'usage' | undefined) {
  return expand === 'usage' ? presentQuotaWithUsage : presentQuota;
}

export function quotaLocation({ user, project }: Quota): string {
  return `/admin/quotas/${user}/${project.hpc}/${project.name}/`;
}

export function presentUsage(quota: Quota) {
  const { time, space, activeJobs, validUntil, bans, share } = quota;
  return {
    time: presentBalance(time, (seconds) => seconds),
    space: presentBalance(space, float),
    living_jobs: activeJobs,
    valid_until: validUntil ? timestamp(validUntil) : null,
    renews: presentRenewal(quota),
    banned: bans.everywhere ?? bans.here ?? null,
    ...(share && { from_budget: presentAmount(share) }),
  };
}

function presentBalance<Shown>(balance: Balance, show: (amount: number) => Shown) {
  const { granted, left, held, used } = balance;
  return { granted: show(granted), left: show(left), held: show(held), used: show(used) };
}

/** Says how a quota renews, and when next. `next` is null if the quota ends before that. */
function presentRenewal(quota: Quota) {
  if (!quota.renewal) return null;
  const next = upcomingRenewal(quota);
  return { ...presentRenewalRule(quota.renewal.rule), next: next ? timestamp(next) : null };
}

/** Writes a renewal as administrators send it. */
export function presentRenewalRule({ every, on, month, to, carryOver }: Renewal) {
  return {
    every,
    on,
    ...(every !== 'monthly' && { month }),
    to: presentAmount(to),
    carry_over: presentAmount(carryOver),
  };
}

export function presentAmount({ seconds, kilobytes }: Amount) {
  return { time: seconds, space: float(kilobytes) };
}

export function presentGrantedRow({ user, hpc, project }: AccountKey, row: RowResult) {
  return {
    outcome: row.kind,
    user,
    project_hpc: hpc.toUpperCase(),
    project_name: project,
    change: row.details ?? null,
  };
}
