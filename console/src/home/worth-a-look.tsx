import type { Job, Quota } from '#client/src/index.ts';
import { addressOf } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import { JobRow } from '../jobs/job-row.tsx';
import { clock } from '../live/clock.ts';
import { chooseUrgentJobs, chooseUrgentQuotas } from './choose-urgent.ts';

interface WorthALookProps {
  readonly jobs: readonly Job[];
  readonly quotas: readonly Quota[];
  readonly usedLately: (quota: Quota) => number;
  /** The visit before this one. */
  readonly since: string;
}

/** What somebody should see first; nothing where all is well. */
export function WorthALook({ jobs, quotas, usedLately, since }: WorthALookProps) {
  const now = clock.value;
  const urgentJobs = chooseUrgentJobs(jobs, { since, now });
  const urgentQuotas = chooseUrgentQuotas(quotas, usedLately, now);
  if (urgentJobs.length + urgentQuotas.length === 0) return null;
  return (
    <section aria-labelledby="needs-title">
      <h2 id="needs-title">Worth a look</h2>
      <ul class="rows">
        {urgentQuotas.map(({ quota, why }) => (
          <li key={quota.id} data-row>
            <a class="quota-row" href={addressOf.ledger(quota)}>
              <strong>{quota.project_name}</strong>
              <span class="quiet">on {systemOf(quota)}</span>
              <span class="warning">{why}</span>
            </a>
          </li>
        ))}
        {urgentJobs.map(({ job, why }) => (
          <li key={job.job_id} data-row>
            <JobRow job={job} time={why} />
          </li>
        ))}
      </ul>
    </section>
  );
}
