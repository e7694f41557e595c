import { useState } from 'preact/hooks';
import { addressOf, withQuery } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import type { Session } from '../connection/session.ts';
import { keepsOutput, useCatalog } from '../connection/use-catalog.ts';
import { announce } from '../live/announce.ts';
import { Discard } from './discard.tsx';
import { describeFate, fateOf } from './fate-of.ts';
import { JobFiles } from './files/job-files.tsx';
import { JobAccount } from './job-account.tsx';
import { JobDetails } from './job-details.tsx';
import { JobFrame } from './job-frame.tsx';
import { useJob } from './use-job.ts';

interface JobPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string; readonly jobId: string };
}

export function JobPage({ session, at: { hpc, project, jobId } }: JobPageProps) {
  const { service } = session;
  const where = { hpc, project_name: project, job_id: jobId };
  const seen = useJob(
    `job ${jobId}`,
    (signal) => service.getJob(where, { signal }),
    (signal) => service.getTimeline(where, { signal }),
  );
  const catalog = useCatalog(session);
  const [discarding, setDiscarding] = useState(false);
  return (
    <JobFrame
      seen={seen}
      whereabouts={(job) => (
        <span class="quiet">
          {systemOf(job)} · {job.project_name}
        </span>
      )}
      acts={(job) => (
        <div class="line">
          <a class="button" href={withQuery(addressOf.submit, { again: job.job_id, hpc, project })}>
            Run again
          </a>
          {fateOf(job) !== 'keep' && (
            <button type="button" class="danger" onClick={() => setDiscarding(true)}>
              {fateOf(job) === 'delete' ? 'Delete' : 'Cancel'}
            </button>
          )}
        </div>
      )}
    >
      {(job) => (
        <>
          <JobFiles session={session} job={job} />
          <div class="columns">
            <JobDetails job={job} />
            <JobAccount session={session} job={job} />
          </div>
          {discarding && (
            <Discard
              job={job}
              keepsOutput={keepsOutput(catalog, job)}
              onDiscard={async () => {
                const only = job.terminal_stage ? 'delete' : 'cancel';
                announce(describeFate(only, await service.deleteJob({ ...where, only })));
                seen.refresh();
              }}
              onClose={() => setDiscarding(false)}
            />
          )}
        </>
      )}
    </JobFrame>
  );
}
