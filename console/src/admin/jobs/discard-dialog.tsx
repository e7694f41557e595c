import type { Job } from '#client/src/index.ts';
import { systemOf } from '../../address/system-of.ts';
import { ActDialog } from '../act/act-dialog.tsx';

interface DiscardDialogProps {
  readonly job: Job;
  readonly onDiscard: (reason: string) => Promise<Job>;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Says what it will do to whose job: cancelling and deleting are not alike. */
export function DiscardDialog({ job, onDiscard, onDone, onClose }: DiscardDialogProps) {
  const { owner, terminal_stage: ended } = job;
  return (
    <ActDialog
      title={ended ? `Delete this job of ${owner}?` : `Cancel this job of ${owner}?`}
      act={ended ? 'Delete it' : 'Cancel it'}
      danger
      onClose={onClose}
      onAct={async (reason) => {
        const discarded = await onDiscard(reason);
        onDone();
        return discarded.stage === 'DELETED' ? 'The job is deleted.' : 'The job is cancelled.';
      }}
    >
      {() =>
        ended ? (
          <p>
            Its files are removed for good and its space is given back to {owner}. That it ran, and
            what it used, stays in lists and ledgers.
          </p>
        ) : (
          <p>
            It is ended on {systemOf(job)} and cannot be continued. {owner} is charged for the time
            that it ran, gets the rest back, and reads the reason.
          </p>
        )
      }
    </ActDialog>
  );
}
