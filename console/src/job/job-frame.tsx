import type { ComponentChildren } from 'preact';
import type { Job } from '#client/src/index.ts';
import type { Live } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { TimelineBar } from './timeline-bar.tsx';
import type { SeenJob } from './use-job.ts';
import { whyItWaits } from './why-it-waits.ts';

interface JobFrameProps {
  readonly seen: Live<SeenJob>;
  /** Whose it is and where, behind its stage. */
  readonly whereabouts: (job: Job) => ComponentChildren;
  readonly acts: (job: Job) => ComponentChildren;
  readonly children: (job: Job) => ComponentChildren;
}

/** What the pages of a job have in common, whoever reads them: its name, its stage, its way so far. */
export function JobFrame({ seen, whereabouts, acts, children }: JobFrameProps) {
  const { value, error, refresh } = seen;
  const problem = error !== undefined && <ProblemNote error={error} onRetry={refresh} />;
  if (!value) return problem || <Waiting rows={6} />;
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
            {whereabouts(job)}
            <CopyButton text={job.job_id} label={job.job_id} />
          </p>
        </div>
        {acts(job)}
      </header>
      {problem}
      {reason !== undefined && <p class={job.failed ? 'note bad' : 'note'}>{reason}</p>}
      <TimelineBar job={job} timeline={timeline} />
      {children(job)}
    </>
  );
}
