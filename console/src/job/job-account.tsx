import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf } from '../address/address-of.ts';
import type { Session } from '../connection/session.ts';
import { chargingOf, useCatalog } from '../connection/use-catalog.ts';
import { useLive } from '../live/use-live.ts';
import { readJobAccount } from '../quotas/ledger/read-job-account.ts';

/** What the job reserved, used and gave back. */
export function JobAccount({ session, job }: { readonly session: Session; readonly job: Job }) {
  const catalog = useCatalog(session);
  const { value } = useLive(`account ${job.job_id} ${job.stage}`, (signal) =>
    readJobAccount(session.service, job, signal),
  );
  const write = (seconds: number) => writeNodeTime(seconds, chargingOf(catalog, job.project_hpc));
  return (
    <section aria-labelledby="account-title">
      <h2 id="account-title">Account</h2>
      {value && (
        <dl class="pairs">
          <div>
            <dt>Reserved</dt>
            <dd title={`${value.held} seconds`}>{write(value.held)}</dd>
          </div>
          <div>
            <dt>Used</dt>
            <dd>{job.terminal_stage ? write(value.held - value.returned) : 'not settled yet'}</dd>
          </div>
          <div>
            <dt>Given back</dt>
            <dd>{job.terminal_stage ? write(value.returned) : 'not settled yet'}</dd>
          </div>
        </dl>
      )}
      <p>
        <a href={addressOf.ledger(job)}>The ledger of {job.project_name}</a>
      </p>
    </section>
  );
}
