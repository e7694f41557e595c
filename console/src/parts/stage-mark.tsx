import type { Job } from '#client/src/index.ts';
import { stageOf } from '../live/catalog.ts';

/** Shows what a stage means by colour, sign and word, and the system's own word on hover. */
export function StageMark({ job }: { readonly job: Job }) {
  const { meaning, label, icon } = stageOf.value(job);
  return (
    <span class={`stage ${meaning}`} title={`Stage on the system: ${job.stage}`}>
      <span aria-hidden="true">{icon}</span> {label}
    </span>
  );
}
