import { describeStage } from '#client/src/format/describe-stage.ts';

/** What a stage means, in colour, sign and word; the system's own word beside it. */
export function StageMark({
  job,
}: {
  readonly job: {
    readonly stage: string;
    readonly terminal_stage: boolean;
    readonly failed: boolean;
  };
}) {
  const { meaning, icon } = describeStage(job);
  return (
    <span class={`stage ${meaning}`} title={`The system calls it ${job.stage}`}>
      <span aria-hidden="true">{icon}</span> {meaning}
    </span>
  );
}
