import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import type { Session } from '../connection/session.ts';
import {
  type Act,
  countJobs,
  describeDiscard,
  describeDiscarded,
  discardJobs,
  jobsFor,
} from '../job/discard-jobs.ts';
import { SaveAllButton } from '../job/save-all-button.tsx';
import { announce } from '../live/announce.ts';
import { actSoon } from '../live/undo.tsx';
import { Confirm } from '../parts/confirm.tsx';

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

interface MarkProps {
  readonly job: Job;
  readonly marked: boolean;
  readonly onMark: (how: { readonly range: boolean }) => void;
}

export function Mark({ job, marked, onMark }: MarkProps) {
  const name = job.title === '' ? job.job_id : job.title;
  return (
    <label class="mark">
      <input
        type="checkbox"
        aria-label={`Select ${name}`}
        checked={marked}
        onClick={({ shiftKey: range }) => onMark({ range })}
      />
    </label>
  );
}

/** Which jobs are marked, and which was the last one: a range begins there. */
interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

export const nothingMarked: Selection = { ids: new Set(), last: undefined };

export function toggleMark({ ids }: Selection, id: string): Selection {
  const marked = new Set(ids);
  if (!marked.delete(id)) marked.add(id);
  return { ids: marked, last: id };
}

/** From the last one to this one, in the order of the list; all of them get what the last one has. */
export function markRange(
  selection: Selection,
  listed: readonly { readonly job_id: string }[],
  id: string,
): Selection {
  const { ids, last } = selection;
  const ends = [last, id].map((end) => listed.findIndex(({ job_id: each }) => each === end));
  const [first, final] = [Math.min(...ends), Math.max(...ends)];
  if (last === undefined || first < 0) return toggleMark(selection, id);
  const marked = new Set(ids);
  for (const { job_id: each } of listed.slice(first, final + 1)) {
    if (ids.has(last)) marked.add(each);
    else marked.delete(each);
  }
  return { ids: marked, last: id };
}
