import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import { writeLargest } from '#client/src/format/times/write-age.ts';
import type { Job, Quota } from '#client/src/index.ts';
import { readWhyFailed } from '#client/src/jobs/last-line.ts';
import { addressOf, systemOf } from '../browser/address.ts';
import { foldBatches } from '../jobs/fold-batches.ts';
import { JobRow } from '../jobs/job-rows.tsx';
import { stageOf } from '../live/catalog.ts';
import { clock } from '../live/clock.ts';
import { useLive } from '../live/use-live.ts';
import { forecastEnd, isNearlyUsedUp, isOver, isSoon } from '../quotas/describe-quota.ts';
import { phrase } from './words.ts';

interface NeedsAttentionProps {
  readonly jobs: readonly Job[];
  readonly quotas: readonly Quota[];
  readonly usedLately: (quota: Quota) => number;
  /** The time of the last visit. */
  readonly since: string;
}

/** Shows what the user should see first. Shows nothing if all is well. */
export function NeedsAttention({ jobs, quotas, usedLately, since }: NeedsAttentionProps) {
  const now = clock.value;
  const urgentJobs = chooseUrgentJobs(jobs, { since, now, stageOf: stageOf.value });
  const urgentQuotas = chooseUrgentQuotas(quotas, usedLately, now);
  if (urgentJobs.length + urgentQuotas.length === 0) return null;
  return (
    <section aria-labelledby="needs-title">
      <h2 id="needs-title">{phrase('needsAttention')}</h2>
      <ul class="rows">
        {urgentQuotas.map(({ quota, why }) => (
          <li key={quota.id} data-row>
            <a class="quota-row" href={addressOf.ledger(quota)}>
              <strong>{quota.project_name}</strong>
              <span class="quiet">{phrase('onSystem', { system: systemOf(quota) })}</span>
              <span class="warning">{why}</span>
            </a>
          </li>
        ))}
        {urgentJobs.map(({ job, why }) => (
          <li key={job.job_id} data-row>
            {job.batch === undefined ? (
              <JobRow job={job} time={why} />
            ) : (
              <JobRow
                job={job}
                address={addressOf.batch({ ...job, batch_id: job.batch })}
                where={phrase('oneOfBatch')}
                time={why}
              />
            )}
            {job.failed && <LastLine job={job} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Shows what a failed job wrote last, or what is said of it. */
function LastLine({ job }: { readonly job: Job }) {
  const { value } = useLive(`last line of ${job.job_id}`, (service, signal) =>
    readWhyFailed(service, job, { signal }),
  );
  return value === undefined ? null : (
    <code class="last-line" title={value}>
      {value}
    </code>
  );
}

const longWaitMs = 3_600_000;
const most = 6;

interface UrgentJob {
  readonly job: Job;
  /** Undefined if the stage says it already. */
  readonly why: string | undefined;
}

/**
 * Chooses the jobs that failed since the last visit, and those that have waited long. One job stands
 * for all of its batch.
 */
export function chooseUrgentJobs(
  jobs: readonly Job[],
  {
    since,
    now,
    stageOf,
  }: { readonly since: string; readonly now: Date; readonly stageOf: StageOf },
): readonly UrgentJob[] {
  const { rows, counts } = foldBatches(
    jobs.filter(({ failed, end_date: end }) => failed && end !== null && end >= since),
  );
  const failed = rows.map((job) => {
    const count = counts.get(job.batch ?? '') ?? 1;
    return { job, why: count === 1 ? undefined : phrase('someFailed', { count }) };
  });
  const waitedBy = (job: Job) => now.getTime() - Date.parse(job.init_date);
  const waiting = foldBatches(
    jobs.filter((job) => stageOf(job).meaning === 'waiting' && waitedBy(job) > longWaitMs),
  ).rows.map((job) => ({
    job,
    why: phrase('waitingFor', { time: writeLargest(waitedBy(job) / 1000) }),
  }));
  return [...failed, ...waiting].slice(0, most);
}

interface UrgentQuota {
  readonly quota: Quota;
  readonly why: string;
}

/** Chooses the quotas that end soon, are nearly used up, or soon will be at the recent rate. */
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
    const day = writeDay(until);
    return isOver(until, now) ? phrase('endedOn', { day }) : phrase('endsOn', { day });
  }
  if (isNearlyUsedUp(quota)) return phrase('nearlyUsedUp');
  const end = forecastEnd(quota.time_left, { used, days: 30 }, now)?.toISOString();
  if (end === undefined || !isSoon(end, now)) return undefined;
  return phrase('lastsUntil', { day: writeDay(end) });
}
