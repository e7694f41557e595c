import { measureRun } from '#client/src/format/measure-run.ts';
import { writeDuration } from '#client/src/format/write-duration.ts';
import type { Job } from '#client/src/index.ts';
import { clock } from '../../live/clock.ts';
import { ShareBar } from '../../parts/share-bar.tsx';
import type { Timelines } from './use-timelines.ts';

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
