import { measureRun } from '#client/src/format/measure-run.ts';
import { writeDuration } from '#client/src/format/write-duration.ts';
import type { Job, Timeline } from '#client/src/index.ts';
import { clock } from '../live/clock.ts';
import { ShareBar } from '../parts/share-bar.tsx';
import { layOutTimeline } from './lay-out-timeline.ts';

export function TimelineBar({ job, timeline }: { readonly job: Job; readonly timeline: Timeline }) {
  const end = job.end_date === null ? clock.value : new Date(job.end_date);
  const { segments, ticks } = layOutTimeline(timeline, end);
  const ran = measureRun(timeline, clock.value);
  const granted = job.runtime * 3600;
  return (
    <section aria-labelledby="timeline-title">
      <h2 id="timeline-title">Timeline</h2>
      <div class="timeline" aria-hidden="true">
        {segments.map(({ stage, meaning, share, seconds }) => (
          <span
            key={stage}
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
            title={reason ?? 'handed over'}
          />
        ))}
      </div>
      <ol class="stages">
        {segments.map(({ stage, meaning, seconds }) => (
          <li key={stage}>
            <span class={`dot ${meaning}`} aria-hidden="true" /> {stage.toLowerCase()}{' '}
            <span class="quiet">{writeDuration(seconds)}</span>
          </li>
        ))}
      </ol>
      {ran !== undefined && (
        <div class="so-far">
          <ShareBar
            label={`Ran ${writeDuration(ran)} of ${writeDuration(granted)} granted`}
            shares={[
              { kind: 'elapsed', amount: Math.min(ran, granted) },
              { kind: 'left', amount: Math.max(0, granted - ran) },
            ]}
          />
          <p class="quiet">
            Ran {writeDuration(ran)} of {writeDuration(granted)} granted
            {job.terminal_stage ? '.' : ', as it was seen from here.'}
          </p>
        </div>
      )}
    </section>
  );
}
