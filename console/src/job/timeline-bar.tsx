import { type Meaning, nameStage } from '#client/src/format/jobs/describe-stage.ts';
import { describeUsage } from '#client/src/format/jobs/describe-usage.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import { measureRun, writeDuration } from '#client/src/format/times/duration.ts';
import type { Job, Timeline } from '#client/src/index.ts';
import { stageOf } from '../live/catalog.ts';
import { clock } from '../live/clock.ts';
import { RunBar } from '../parts/share-bar.tsx';
import { phrase } from './words.ts';

export function TimelineBar({ job, timeline }: { readonly job: Job; readonly timeline: Timeline }) {
  const end = job.end_date === null ? clock.value : new Date(job.end_date);
  const { segments, ticks } = layOutTimeline(timeline, end, (stage) => meaningOf(job, stage));
  const ran = measureRun(timeline, clock.value);
  const limit = job.runtime * 3600;
  const usage = describeUsage(timeline);
  const run = { ran: writeDuration(ran ?? 0), limit: writeDuration(limit) };
  const said = job.terminal_stage ? phrase('ranInAll', run) : phrase('ranSoFar', run);
  return (
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title">{phrase('timeline')}</h2>
      <div class="timeline" aria-hidden="true">
        {segments.map(({ since, stage, meaning, share, seconds }) => (
          <span
            key={since}
            class={`segment ${meaning}`}
            style={{ width: `${share * 100}%` }}
            title={`${stage}: ${writeDuration(seconds)}`}
          />
        ))}
        {ticks.map(({ at, accepted, place, reason }) => (
          <span
            key={at}
            class={accepted ? 'tick accepted' : 'tick'}
            style={{ left: `${place * 100}%` }}
            title={reason === null ? phrase('handedOver') : tell(reason)}
          />
        ))}
      </div>
      <ol class="stages">
        {segments.map(({ since, stage, meaning, seconds }) => (
          <li key={since}>
            <span class={`dot ${meaning}`} aria-hidden="true" /> {nameStage(stage, meaning)}{' '}
            <span class="quiet">{writeDuration(seconds)}</span>
          </li>
        ))}
      </ol>
      {timeline.earlier_runs?.map(({ run: number, seconds, reason }) => (
        <p key={number} class="quiet">
          {phrase('earlierRun', {
            run: number,
            duration: writeDuration(seconds),
            reason: tell(reason),
          })}
        </p>
      ))}
      {ran !== undefined && (
        <div class="so-far">
          <div aria-hidden="true">
            <RunBar label={said} ran={ran} limit={limit} />
          </div>
          <p class="quiet">
            {said}
            {usage !== undefined && ` ${phrase('usedOf', { usage })}`}
          </p>
        </div>
      )}
    </section>
  );
}

/** Asks about the stage while the job was in it, not about how the job ended. */
function meaningOf({ project_hpc }: Job, stage: string): Meaning {
  return stageOf.value({ project_hpc, stage, terminal_stage: false, failed: false }).meaning;
}

interface Segment {
  /** A job that is started again comes to the same stage twice. */
  readonly since: string;
  readonly stage: string;
  readonly meaning: Meaning;
  readonly seconds: number;
  /** Share of the whole, from 0 to 1. */
  readonly share: number;
}

interface Tick {
  readonly at: string;
  readonly accepted: boolean;
  readonly reason: string | null;
  /** Distance from the left, from 0 to 1. */
  readonly place: number;
}

/** Lays out a job's stages to scale, and the tries to hand it over as ticks. */
export function layOutTimeline(
  { stages, tries }: Pick<Timeline, 'stages' | 'tries'>,
  end: Date,
  meaningOf: (stage: string) => Meaning,
): { readonly segments: readonly Segment[]; readonly ticks: readonly Tick[] } {
  const [first] = stages;
  if (!first) return { segments: [], ticks: [] };
  const begin = Date.parse(first.since);
  const whole = Math.max(1, end.getTime() - begin);
  const segments = stages.map(({ stage, since }, index) => {
    const until = stages[index + 1]?.since;
    const ms = Math.max(0, (until ? Date.parse(until) : end.getTime()) - Date.parse(since));
    return { since, stage, meaning: meaningOf(stage), seconds: ms / 1000, share: ms / whole };
  });
  const ticks = tries.map((attempt) => ({
    ...attempt,
    place: Math.max(0, Math.min(1, (Date.parse(attempt.at) - begin) / whole)),
  }));
  // The last stage of an ended job has no length.
  return { segments: segments.filter(({ share }) => share > 0), ticks };
}
