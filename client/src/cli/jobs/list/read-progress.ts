import { measureRun } from '../../../format/measure-run.ts';
import type { Job, Slipway, Timeline } from '../../../index.ts';
import { placeOf } from '../../../index.ts';

/** A living job with how long it has run, and why it waits. */
export interface JobInProgress {
  readonly job: Job;
  /** Seconds; nothing before it runs. */
  readonly ran?: number;
  readonly reason?: string;
}

/** So many timelines are asked for: a list is not worth hundreds of requests. */
const mostTimelines = 20;

export async function readProgress(
  client: Slipway,
  jobs: readonly Job[],
  now: Date,
): Promise<JobInProgress[]> {
  const living = new Set(jobs.filter((job) => !job.terminal_stage).slice(0, mostTimelines));
  return Promise.all(
    jobs.map(async (job) =>
      living.has(job)
        ? describeTimeline(job, await client.getTimeline(placeOf(job)), now)
        : { job },
    ),
  );
}

export function describeTimeline(job: Job, timeline: Timeline, now: Date): JobInProgress {
  const ran = measureRun(timeline, now);
  return {
    job,
    ...(ran !== undefined && { ran }),
    ...(timeline.reason !== null && { reason: timeline.reason }),
  };
}
