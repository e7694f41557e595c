import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { StageOf } from '#client/src/format/describe-stage.ts';
import { measureRun, writeDuration } from '#client/src/format/duration.ts';
import { type Job, placeOf, type Timeline } from '#client/src/index.ts';
import type { Session } from '../connection/session.ts';
import { stageOf } from '../connection/use-catalog.ts';
import { clock } from '../live/clock.ts';
import { ShareBar } from '../parts/share-bar.tsx';

interface ElapsedProps {
  readonly job: Job;
  readonly timelines: Timelines;
}

/** How long a living job has run of what it was granted; of an ended one, what it was granted. */
export function Elapsed({ job, timelines }: ElapsedProps) {
  const granted = job.runtime * 3600;
  const timeline = job.terminal_stage ? undefined : timelines.value.get(job.job_id);
  if (!timeline) return <>{writeDuration(granted)}</>;
  const ran = measureRun(timeline, clock.value) ?? 0;
  const said = `${writeDuration(ran)} of ${writeDuration(granted)}`;
  return (
    <>
      {said}
      <ShareBar
        label={`Ran ${said}`}
        shares={[
          { kind: 'elapsed', amount: Math.min(ran, granted) },
          { kind: 'left', amount: Math.max(0, granted - ran) },
        ]}
      />
    </>
  );
}

type Timelines = ReadonlySignal<ReadonlyMap<string, Timeline>>;

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
      for (const job of chooseFollowed(seen, stageOf.value)) {
        if (stages.current.get(job.job_id) !== job.stage) void ask(job);
      }
    },
  };
}

/** So many timelines are asked for: a list is not worth hundreds of requests. */
const most = 20;

/** The jobs whose timeline says how long they have run: what only waits has not, and needs none. */
export function chooseFollowed(seen: readonly Job[], stageOf: StageOf): readonly Job[] {
  return seen
    .filter((job) => !job.terminal_stage && stageOf(job).meaning !== 'waiting')
    .slice(0, most);
}
