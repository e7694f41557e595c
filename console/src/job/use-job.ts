import type { Job, Timeline } from '#client/src/index.ts';
import { type Live, useLive } from '../live/use-live.ts';

export interface SeenJob {
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
