import { useState } from 'preact/hooks';
import { type JobPlace, systemOf } from '../browser/address.ts';
import { discardActFor } from '../job/discard-jobs.ts';
import { JobDetails, JobFrame, useJob } from '../job/job-frame.tsx';
import { Button } from '../parts/form.tsx';
import { ActDialog } from './parts/act-dialog.tsx';
import { useLinks } from './parts/use-links.ts';
import { UserName } from './parts/user-name.tsx';
import { phrase, rich } from './words.ts';

/** Shows any user's job, without its files, which only the owner may read. */
export function AnyJobPage({ at }: { readonly at: JobPlace }) {
  const links = useLinks();
  const where = { hpc: at.hpc, project_name: at.project, job_id: at.jobId };
  const seen = useJob(`any job ${at.jobId}`, ({ getAnyJob, getAnyTimeline }, signal) => [
    getAnyJob({ ...where, expand: 'request', names: true }, { signal }),
    getAnyTimeline(where, { signal }),
  ]);
  const [discarding, setDiscarding] = useState(false);
  return (
    <JobFrame
      seen={seen}
      where={(job) => (
        <>
          <span>
            {rich('byOwner', {
              owner: (
                <>
                  <a href={links.person(job.owner, job)}>{job.owner}</a>
                  <UserName name={job.owner_name} />
                </>
              ),
            })}
          </span>
          <span class="quiet">
            {systemOf(job)} · <a href={links.project(job)}>{job.project_name}</a>
          </span>
        </>
      )}
      acts={(job) =>
        // Only the owner can delete a cancelled job.
        discardActFor(job) &&
        job.stage !== 'CANCELED' && (
          <Button class="danger" onClick={() => setDiscarding(true)}>
            {discardActFor(job) === 'delete' ? phrase('deleteJobAsk') : phrase('cancelJobAsk')}
          </Button>
        )
      }
    >
      {(job, timeline) => (
        <>
          <JobDetails job={job} timeline={timeline} />
          <p>
            <a href={links.ledger(job.owner, job)}>
              {phrase('ledgerOf', { user: job.owner, project: job.project_name })}
            </a>
          </p>
          {discarding && (
            <ActDialog
              title={
                job.terminal_stage
                  ? phrase('deleteThis', { owner: job.owner })
                  : phrase('cancelThis', { owner: job.owner })
              }
              act={job.terminal_stage ? phrase('deleteJob') : phrase('cancelJob')}
              danger
              onAct={(service, reason) => service.deleteAnyJob({ ...where, body: { reason } })}
              done={({ stage }) =>
                stage === 'DELETED' ? phrase('jobDeleted') : phrase('jobCancelled')
              }
              onDone={seen.refresh}
              onClose={() => setDiscarding(false)}
            >
              <p>
                {job.terminal_stage
                  ? phrase('deleteMeans', { owner: job.owner })
                  : phrase('cancelMeans', { owner: job.owner, system: systemOf(job) })}
              </p>
            </ActDialog>
          )}
        </>
      )}
    </JobFrame>
  );
}
