import { useState } from 'preact/hooks';
import { addressOf, withQuery } from '../address/address-of.ts';
import { systemOf } from '../address/system-of.ts';
import type { Session } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { Discard } from './discard.tsx';
import { fateOf } from './fate-of.ts';
import { JobFiles } from './files/job-files.tsx';
import { JobAccount } from './job-account.tsx';
import { JobDetails } from './job-details.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import { whyItWaits } from './why-it-waits.ts';

interface JobPageProps {
  readonly session: Session;
  readonly at: { readonly hpc: string; readonly project: string; readonly jobId: string };
}

export function JobPage({ session, at }: JobPageProps) {
  const { service } = session;
  const where = { hpc: at.hpc, project_name: at.project, job_id: at.jobId };
  const { value, error, refresh } = useLive(
    `job ${at.jobId}`,
    async (signal) => {
      const [job, timeline] = await Promise.all([
        service.getJob(where, { signal }),
        service.getTimeline(where, { signal }),
      ]);
      return { job, timeline };
    },
    { living: ({ job }) => !job.terminal_stage },
  );
  const [discarding, setDiscarding] = useState(false);
  if (!value)
    return error === undefined ? (
      <Waiting rows={6} />
    ) : (
      <ProblemNote error={error} onRetry={refresh} />
    );
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
            <span class="quiet">
              {systemOf(job)} · {job.project_name}
            </span>
            <CopyButton text={job.job_id} label={job.job_id} />
          </p>
        </div>
        <div class="line">
          <a
            class="button"
            href={withQuery(addressOf.submit, { again: job.job_id, ...againAt(at) })}
          >
            Run again
          </a>
          {fateOf(job) !== 'keep' && (
            <button type="button" class="danger" onClick={() => setDiscarding(true)}>
              {fateOf(job) === 'delete' ? 'Delete' : 'Cancel'}
            </button>
          )}
        </div>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {reason !== undefined && <p class={job.failed ? 'note bad' : 'note'}>{reason}</p>}
      <TimelineBar job={job} timeline={timeline} />
      <JobFiles session={session} job={job} />
      <div class="columns">
        <JobDetails job={job} />
        <JobAccount session={session} job={job} />
      </div>
      {discarding && (
        <Discard
          job={job}
          onDiscard={async () => {
            const discarded = await service.deleteJob(where);
            announce(
              discarded.stage === 'DELETED' ? 'The job is deleted.' : 'The job is cancelled.',
            );
            refresh();
          }}
          onClose={() => setDiscarding(false)}
        />
      )}
    </>
  );
}

function againAt({ hpc, project }: JobPageProps['at']) {
  return { hpc, project };
}
