import { useState } from 'preact/hooks';
import { adminAddress } from '../../address/admin-address.ts';
import { systemOf } from '../../address/system-of.ts';
import type { Session } from '../../connection/session.ts';
import { fateOf } from '../../job/fate-of.ts';
import { JobDetails } from '../../job/job-details.tsx';
import { JobFrame } from '../../job/job-frame.tsx';
import { useJob } from '../../job/use-job.ts';
import { DiscardDialog } from './discard-dialog.tsx';

interface AnyJobPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string; readonly jobId: string };
}

/** A job of anybody. Its files are its owner's alone, and are not shown. */
export function AnyJobPage({ session: { service }, at }: AnyJobPageProps) {
  const where = { hpc: at.hpc, project_name: at.project, job_id: at.jobId };
  const seen = useJob(
    `any job ${at.jobId}`,
    (signal) => service.getAnyJob(where, { signal }),
    (signal) => service.getAnyTimeline(where, { signal }),
  );
  const [discarding, setDiscarding] = useState(false);
  return (
    <JobFrame
      seen={seen}
      whereabouts={(job) => (
        <>
          <span>
            of <a href={adminAddress.person(job.owner)}>{job.owner}</a>
          </span>
          <span class="quiet">
            {systemOf(job)} · <a href={adminAddress.project(job)}>{job.project_name}</a>
          </span>
        </>
      )}
      acts={(job) =>
        // The service deletes a cancelled job for its owner alone.
        fateOf(job) !== 'keep' &&
        job.stage !== 'CANCELED' && (
          <button type="button" class="danger" onClick={() => setDiscarding(true)}>
            {fateOf(job) === 'delete' ? 'Delete …' : 'Cancel …'}
          </button>
        )
      }
    >
      {(job) => (
        <>
          <JobDetails job={job} />
          <p>
            <a href={adminAddress.ledger(job.owner, job)}>
              The ledger of {job.owner} in {job.project_name}
            </a>
          </p>
          {discarding && (
            <DiscardDialog
              job={job}
              onDiscard={(why) => service.deleteAnyJob({ ...where, body: { reason: why } })}
              onDone={seen.refresh}
              onClose={() => setDiscarding(false)}
            />
          )}
        </>
      )}
    </JobFrame>
  );
}
