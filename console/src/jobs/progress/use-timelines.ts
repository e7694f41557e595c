import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Job, placeOf, type Timeline } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { chooseFollowed } from './choose-followed.ts';

export type Timelines = ReadonlySignal<ReadonlyMap<string, Timeline>>;

/** The timelines of running jobs that are seen; each is asked for again only at its next stage. */
export function useTimelines({ service }: Session): {
  readonly timelines: Timelines;
  follow(seen: readonly Job[]): void;
} {
  const timelines = useSignal<ReadonlyMap<string, Timeline>>(new Map());
  const stages = useRef(new Map<string, string>());
  const ask = async (job: Job) => {
    stages.current.set(job.job_id, job.stage);
    try {
      const timeline = await service.getTimeline(placeOf(job));
      timelines.value = new Map([...timelines.value, [job.job_id, timeline]]);
    } catch {
      // A row without its bar is still a row: it is tried again when its list changes.
      stages.current.delete(job.job_id);
    }
  };
  return {
    timelines,
    follow: (seen) => {
      for (const job of chooseFollowed(seen)) {
        if (stages.current.get(job.job_id) !== job.stage) void ask(job);
      }
    },
  };
}
