import { describeStage } from '#client/src/format/describe-stage.ts';
import { writeLargest } from '#client/src/format/write-age.ts';
import { writeDay } from '#client/src/format/write-day.ts';
import type { Job, Quota } from '#client/src/index.ts';
import { isNearlyUsedUp, isOver, isSoon } from '../quotas/describe-quota.ts';
import { forecastEnd } from '../quotas/forecast.ts';

const longWaitMs = 3_600_000;
const most = 6;

export interface UrgentJob {
  readonly job: Job;
  readonly why: string;
}

/** The jobs that somebody should look at: those that failed since they were here, and long waits. */
export function chooseUrgentJobs(
  jobs: readonly Job[],
  { since, now }: { readonly since: string; readonly now: Date },
): readonly UrgentJob[] {
  const failed = jobs
    .filter(({ failed, end_date: end }) => failed && end !== null && end >= since)
    .map((job) => ({ job, why: 'failed' }));
  const waiting = jobs
    .filter((job) => describeStage(job).meaning === 'waiting')
    .map((job) => ({ job, waited: now.getTime() - Date.parse(job.init_date) }))
    .filter(({ waited }) => waited > longWaitMs)
    .map(({ job, waited }) => ({ job, why: `has waited for ${writeLargest(waited / 1000)}` }));
  return [...failed, ...waiting].slice(0, most);
}

export interface UrgentQuota {
  readonly quota: Quota;
  readonly why: string;
}

/** The quotas that end soon, are nearly used up, or will be at the rate of the last thirty days. */
export function chooseUrgentQuotas(
  quotas: readonly Quota[],
  usedLately: (quota: Quota) => number,
  now: Date,
): readonly UrgentQuota[] {
  return quotas.flatMap((quota) => {
    const why = judge(quota, usedLately(quota), now);
    return why === undefined ? [] : [{ quota, why }];
  });
}

function judge(quota: Quota, used: number, now: Date): string | undefined {
  const until = quota.usage?.valid_until ?? null;
  if (until !== null && isSoon(until, now)) {
    return `${isOver(until, now) ? 'ended' : 'ends'} on ${writeDay(until)}`;
  }
  if (isNearlyUsedUp(quota)) return 'is nearly used up';
  const end = forecastEnd(quota.time_left, { used, days: 30 }, now)?.toISOString();
  if (end === undefined || !isSoon(end, now)) return undefined;
  return `lasts until ${writeDay(end)} at this rate`;
}
