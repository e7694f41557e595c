import type { ComponentChildren } from 'preact';
import { writeDuration } from '#client/src/format/duration.ts';
import type { Job, Timeline } from '#client/src/index.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Waiting } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { TimelineBar } from './timeline-bar.tsx';

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

interface SeenJob {
  readonly job: Job;
  readonly timeline: Timeline;
}

/** A job and what became of it, asked for often while something still can. */
export function useJob(
  key: string,
  readJob: (signal: AbortSignal) => Promise<Job>,
  readTimeline: (signal: AbortSignal) => Promise<Timeline>,
): Live<SeenJob> {
  return useLive(
    key,
    async (signal) => {
      const [job, timeline] = await Promise.all([readJob(signal), readTimeline(signal)]);
      return { job, timeline };
    },
    { living: ({ job }) => !job.terminal_stage },
  );
}

/** The last reason that anybody gave: the system, or the try to hand the job over. */
export function whyItWaits({ reason, tries, terminal_stage: ended }: Timeline): string | undefined {
  if (reason !== null) return reason;
  const last = tries.at(-1);
  if (ended || !last || last.accepted) return undefined;
  return last.reason ?? 'It is being handed over.';
}

export function JobDetails({ job }: { readonly job: Job }) {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <dl class="pairs">
        <div>
          <dt>Number</dt>
          <dd class="number">{job.id}</dd>
        </div>
        <div>
          <dt>Stage of the system</dt>
          <dd>{job.stage}</dd>
        </div>
        <div>
          <dt>Time granted</dt>
          <dd title={`${job.runtime} hours`}>{writeDuration(job.runtime * 3600)}</dd>
        </div>
        <div>
          <dt>Submitted</dt>
          <dd>
            <Moment at={job.init_date} />
          </dd>
        </div>
        <div>
          <dt>Ended</dt>
          <dd>{job.end_date === null ? 'not yet' : <Moment at={job.end_date} />}</dd>
        </div>
      </dl>
    </section>
  );
}
