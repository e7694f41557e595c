import { useState } from 'preact/hooks';
import { adminAddress } from '../../address/admin-address.ts';
import type { Session } from '../../connection/session.ts';
import { JobDetails } from '../../job/job-details.tsx';
import { TimelineBar } from '../../job/timeline-bar.tsx';
import { whyItWaits } from '../../job/why-it-waits.ts';
import { useLive } from '../../live/use-live.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { StageMark } from '../../parts/stage-mark.tsx';
import { Waiting } from '../../parts/waiting.tsx';
import { DiscardDialog } from './discard-dialog.tsx';

interface AnyJobPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string; readonly jobId: string };
}

/** A job of anybody. Its files are its owner's alone, and are not shown. */
export function AnyJobPage({ session: { service }, at }: AnyJobPageProps) {
  const where = { hpc: at.hpc, project_name: at.project, job_id: at.jobId };
  const { value, error, refresh } = useLive(
    `any job ${at.jobId}`,
    async (signal) => {
      const [job, timeline] = await Promise.all([
        service.getAnyJob(where, { signal }),
        service.getAnyTimeline(where, { signal }),
      ]);
      return { job, timeline };
    },
    { living: ({ job }) => !job.terminal_stage },
  );
  const [discarding, setDiscarding] = useState(false);
  if (!value) {
    return error === undefined ? (
      <Waiting rows={6} />
    ) : (
      <ProblemNote error={error} onRetry={refresh} />
    );
  }
  const { job, timeline } = value;
  const reason = whyItWaits(timeline);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{job.title === '' ? 'A job without a title' : job.title}</h1>
          <p class="line">
            <span role="status">
              <StageMark job={job} />
            </span>
            <span>
              of <a href={adminAddress.person(job.owner)}>{job.owner}</a>
            </span>
            <span class="quiet">
              {job.project_hpc} · <a href={adminAddress.project(job)}>{job.project_name}</a>
            </span>
            <CopyButton text={job.job_id} label={job.job_id} />
          </p>
        </div>
        {job.stage !== 'DELETED' && (
          <button type="button" class="danger" onClick={() => setDiscarding(true)}>
            {job.terminal_stage ? 'Delete …' : 'Cancel …'}
          </button>
        )}
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {reason !== undefined && <p class={job.failed ? 'note bad' : 'note'}>{reason}</p>}
      <TimelineBar job={job} timeline={timeline} />
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
          onDone={refresh}
          onClose={() => setDiscarding(false)}
        />
      )}
    </>
  );
}
