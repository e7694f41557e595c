import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { SaveAllButton } from '../../job/files/save-all-button.tsx';
import { announce } from '../../live/announce.ts';
import { actSoon } from '../../live/undo.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { type Act, countJobs, describeDiscard, jobsFor } from './describe-discard.ts';
import { describeDiscarded, discardJobs } from './discard-jobs.ts';

interface SelectionBarProps {
  readonly session: Session;
  readonly marked: readonly Job[];
  readonly onDiscarded: (jobs: readonly Job[], errors: readonly unknown[]) => void;
  readonly onClear: () => void;
}

const words = {
  cancel: { title: 'Cancel', act: 'Cancel them', soon: 'cancelled' },
  delete: { title: 'Delete', act: 'Delete them', soon: 'deleted' },
} as const;

/** What can be done with several at once, for as many as it fits. */
export function SelectionBar({ session, marked, onDiscarded, onClear }: SelectionBarProps) {
  const [asking, setAsking] = useState<Act>();
  const discard = async (act: Act) => {
    const wanted = jobsFor(act, marked);
    onClear();
    actSoon(`${countJobs(wanted.length)} will be ${words[act].soon}`, () => {
      void discardJobs(session.service, act, wanted).then((discarded) => {
        announce(describeDiscarded(act, discarded));
        onDiscarded(discarded.jobs, discarded.errors);
      });
    });
  };
  return (
    <section class="selection line" aria-label="Selected jobs">
      <strong role="status">{countJobs(marked.length)} selected</strong>
      {(['cancel', 'delete'] as const).map((act) => {
        const count = jobsFor(act, marked).length;
        return (
          <button
            key={act}
            type="button"
            class="danger"
            disabled={count === 0}
            onClick={() => setAsking(act)}
          >
            {words[act].title} {count > 0 && count}
          </button>
        );
      })}
      <SaveAllButton session={session} jobs={marked} label="Download" />
      <button type="button" class="plain" onClick={onClear}>
        Select none
      </button>
      {asking && (
        <Confirm
          title={`${words[asking].title} ${countJobs(jobsFor(asking, marked).length)}?`}
          act={words[asking].act}
          onAct={() => discard(asking)}
          onClose={() => setAsking(undefined)}
        >
          {describeDiscard(asking, marked).map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Confirm>
      )}
    </section>
  );
}
