import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import { measureRun, writeDuration } from '#client/src/format/times/duration.ts';
import { type Job, placeOf, type Timeline } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import { stageOf } from '../live/catalog.ts';
import { clock } from '../live/clock.ts';
import { RunBar } from '../parts/share-bar.tsx';
import { phrase } from './words.ts';

/** Shows how long an active job has run of its time limit. For other jobs, shows the limit. */
export function Elapsed({ job, timelines }: { readonly job: Job; readonly timelines: Timelines }) {
  const limit = job.runtime * 3600;
  const timeline = job.terminal_stage ? undefined : timelines.value.get(job.job_id);
  if (!timeline) return <>{writeDuration(limit)}</>;
  const ran = measureRun(timeline, clock.value) ?? 0;
  const times = { ran: writeDuration(ran), limit: writeDuration(limit) };
  return (
    <>
      {phrase('ofLimit', times)}
      <RunBar label={phrase('ranOfLimit', times)} ran={ran} limit={limit} />
    </>
  );
}

type Timelines = ReadonlySignal<ReadonlyMap<string, Timeline>>;

/** Loads the timelines of visible running jobs, each again only at its next stage. */
export function useTimelines() {
  const service = useService();
  const timelines = useSignal<ReadonlyMap<string, Timeline>>(new Map());
  const stages = useRef(new Map<string, string>());
  const ask = async (job: Job) => {
    stages.current.set(job.job_id, job.stage);
    try {
      const timeline = await service.getTimeline(placeOf(job));
      timelines.value = new Map([...timelines.value, [job.job_id, timeline]]);
    } catch {
      // The row works without its bar. It is tried again when the list changes.
      stages.current.delete(job.job_id);
    }
  };
  return {
    timelines,
    follow: (seen: readonly Job[]): void => {
      for (const job of chooseFollowed(seen, stageOf.value)) {
        if (stages.current.get(job.job_id) !== job.stage) void ask(job);
      }
    },
  };
}

/** A list is not worth hundreds of requests. */
const most = 20;

/** Chooses the jobs that have started to run, whose timelines are worth a request. */
export function chooseFollowed(seen: readonly Job[], stageOf: StageOf): readonly Job[] {
  return seen
    .filter((job) => !job.terminal_stage && stageOf(job).meaning !== 'waiting')
    .slice(0, most);
}
