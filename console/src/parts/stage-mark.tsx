import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import { stageOf } from '../live/catalog.ts';
import { phrase } from './words.ts';

/** Shows what a stage means by colour, sign and word, and the system's own word on hover. */
export function StageMark({ job }: { readonly job: Parameters<StageOf>[0] }) {
  const { meaning, label, icon } = stageOf.value(job);
  return (
    <span class={`stage ${meaning}`} title={phrase('stageOnSystem', { stage: job.stage })}>
      <span aria-hidden="true">{icon}</span> {label}
    </span>
  );
}
