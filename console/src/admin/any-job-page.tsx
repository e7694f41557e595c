import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { adminAddress, systemOf } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { fateOf } from '../job/discard-jobs.ts';
import { JobDetails, JobFrame, useJob } from '../job/job-frame.tsx';
import { ActDialog } from './parts/act-dialog.tsx';

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

interface DiscardDialogProps {
  readonly job: Job;
  readonly onDiscard: (reason: string) => Promise<Job>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Says what it will do to whose job: cancelling and deleting are not alike. */
function DiscardDialog({ job, onDiscard, onDone, onClose }: DiscardDialogProps) {
  const { owner, terminal_stage: ended } = job;
  return (
    <ActDialog
      title={ended ? `Delete this job of ${owner}?` : `Cancel this job of ${owner}?`}
      act={ended ? 'Delete it' : 'Cancel it'}
      danger
      onClose={onClose}
      onAct={async (reason) => {
        const discarded = await onDiscard(reason);
        onDone();
        return discarded.stage === 'DELETED' ? 'The job is deleted.' : 'The job is cancelled.';
      }}
    >
      {() =>
        ended ? (
          <p>
            Its files are removed for good and its space is given back to {owner}. That it ran, and
            what it used, stays in lists and ledgers.
          </p>
        ) : (
          <p>
            It is ended on {systemOf(job)} and cannot be continued. {owner} is charged for the time
            that it ran, gets the rest back, and reads the reason.
          </p>
        )
      }
    </ActDialog>
  );
}
