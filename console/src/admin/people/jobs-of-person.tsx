import { withQuery } from '../../address/address-of.ts';
import { adminAddress } from '../../address/admin-address.ts';
import type { Session } from '../../connection/session.ts';
import { JobRow } from '../../jobs/job-row.tsx';
import { useLive } from '../../live/use-live.ts';
import { Empty } from '../../parts/empty.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { Waiting } from '../../parts/waiting.tsx';

const shown = 5;

interface JobsOfPersonProps {
  readonly session: Session;
  readonly user: string;
}

export function JobsOfPerson({ session: { service }, user }: JobsOfPersonProps) {
  const { value, error, refresh } = useLive(
    `jobs of ${user}`,
    (signal) => service.listAllJobs({ user, order: 'desc', limit: shown }, { signal }),
    { living: (jobs) => jobs.some(({ terminal_stage: ended }) => !ended) },
  );
  return (
    <section aria-labelledby="jobs-title">
      <h2 id="jobs-title">Jobs</h2>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {!value && error === undefined && <Waiting rows={2} />}
      {value?.length === 0 && <Empty title="No jobs yet.">What {user} submits stands here.</Empty>}
      {value && value.length > 0 && (
        <>
          <ul class="rows">
            {value.map((job) => (
              <li key={job.job_id} data-row>
                <JobRow job={job} address={adminAddress.job(job)} />
              </li>
            ))}
          </ul>
          <p>
            <a href={withQuery(adminAddress.jobs, { user })}>All jobs of {user}</a>
          </p>
        </>
      )}
    </section>
  );
}
