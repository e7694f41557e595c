import { writeNodeTime } from '#client/src/format/write-node-time.ts';
import type { Job } from '#client/src/index.ts';
import { systemOf } from '../address/system-of.ts';
import { Confirm } from '../parts/confirm.tsx';

interface DiscardProps {
  readonly job: Job;
  /** Whether its system keeps what a cancelled job has written. */
  readonly keepsOutput: boolean;
  readonly onDiscard: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Says what it will do: cancelling and deleting are not alike. */
export function Discard({ job, keepsOutput, onDiscard, onClose }: DiscardProps) {
  const name = job.title === '' ? 'this job' : `“${job.title}”`;
  if (job.terminal_stage) {
    return (
      <Confirm title={`Delete ${name}?`} act="Delete it" onAct={onDiscard} onClose={onClose}>
        <p>
          Its files are removed for good, and the space of its input is free again. That it ran, and
          what it used, stays in your lists.
        </p>
      </Confirm>
    );
  }
  return (
    <Confirm title={`Cancel ${name}?`} act="Cancel it" onAct={onDiscard} onClose={onClose}>
      <p>
        It is ended on {systemOf(job)}, and cannot be continued. You are charged for the time that
        it ran; the rest of the {writeNodeTime(job.runtime * 3600, 'wall-clock')} granted is given
        back. {keepsOutput ? 'What it has written stays.' : 'What it has written is lost.'}
      </p>
    </Confirm>
  );
}
