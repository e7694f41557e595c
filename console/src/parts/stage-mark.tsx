import type { Job } from '#client/src/index.ts';
import { stageOf } from '../connection/use-catalog.ts';

/** What a stage means, in colour, sign and word; the system's own word beside it. */
export function StageMark({ job }: { readonly job: Job }) {
  const { meaning, label, icon } = stageOf.value(job);
  return (
    <span class={`stage ${meaning}`} title={`The system calls it ${job.stage}`}>
      <span aria-hidden="true">{icon}</span> {label}
    </span>
  );
}
