import type { ComponentChildren } from 'preact';
import { describeResources } from '#client/src/format/describe-resources.ts';
import { writeDuration } from '#client/src/format/duration.ts';
import type { Job, Slipway, Timeline } from '#client/src/index.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { TimelineBar } from './timeline-bar.tsx';

interface JobFrameProps {
  readonly seen: Live<SeenJob>;
  /** Says where the job runs, and whose it is. */
  readonly where: (job: Job) => ComponentChildren;
  readonly acts: (job: Job) => ComponentChildren;
  readonly children: (job: Job, timeline: Timeline) => ComponentChildren;
}

/** Frames a job's page for its owner and for administrators: title, stage and timeline. */
export function JobFrame({ seen, where, acts, children }: JobFrameProps) {
  const { value, error, refresh } = seen;
  const problem = error !== undefined && <ProblemNote error={error} onRetry={refresh} />;
  if (!value) return problem || <Skeleton rows={6} />;
  const { job, timeline } = value;
  const reason = whyItWaits(timeline);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{job.title === '' ? 'Untitled job' : job.title}</h1>
          <p class="line">
            <span role="status">
              <StageMark job={job} />
            </span>
            {where(job)}
            <CopyButton text={job.job_id} label={job.job_id} />
          </p>
        </div>
        {acts(job)}
      </header>
      {problem}
      {reason !== undefined && <p class={job.failed ? 'note bad' : 'note'}>{reason}</p>}
      <TimelineBar job={job} timeline={timeline} />
      {children(job, timeline)}
    </>
  );
}

interface SeenJob {
  readonly job: Job;
  readonly timeline: Timeline;
}

/** Loads a job with its timeline. */
export function useJob(
  key: string,
  read: (service: Slipway, signal: AbortSignal) => [Promise<Job>, Promise<Timeline>],
): Live<SeenJob> {
  return useLive(
    key,
    async (service, signal) => {
      const [job, timeline] = await Promise.all(read(service, signal));
      return { job, timeline };
    },
    { active: ({ job }) => !job.terminal_stage },
  );
}

/** Returns the last reason that the system, or the try to hand the job over, gave. */
export function whyItWaits({ reason, tries, terminal_stage: ended }: Timeline): string | undefined {
  if (reason !== null) return reason;
  const last = tries.at(-1);
  if (ended || !last || last.accepted) return undefined;
  return last.reason ?? 'The job is being handed over to its system.';
}

interface JobDetailsProps {
  readonly job: Job;
  readonly timeline: Timeline;
}

export function JobDetails({ job, timeline: { resources } }: JobDetailsProps) {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <Pairs
        of={[
          { name: 'Number', value: <span class="number">{job.id}</span> },
          { name: 'Stage on the system', value: job.stage },
          {
            name: 'Time limit',
            value: writeDuration(job.runtime * 3600),
            title: `${job.runtime} hours`,
          },
          ...(resources ? [{ name: 'Resources', value: describeResources(resources) }] : []),
          ...(job.batch === undefined
            ? []
            : [{ name: 'Batch', value: `index ${job.index} of ${job.batch}` }]),
          { name: 'Submitted', value: <Moment at={job.init_date} /> },
          {
            name: 'Ended',
            value: job.end_date === null ? 'not yet' : <Moment at={job.end_date} />,
          },
        ]}
      />
    </section>
  );
}
