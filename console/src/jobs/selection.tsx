import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import {
  type Act,
  countJobs,
  describeEffects,
  describeResults,
  discardJobs,
  jobsFor,
  past,
} from '../job/discard-jobs.ts';
import { SaveAllButton } from '../job/save-all-button.tsx';
import { announce } from '../live/announce.ts';
import { actSoon } from '../live/undo.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { PlainButton } from '../parts/form.tsx';

interface SelectionBarProps {
  readonly marked: readonly Job[];
  readonly onDiscarded: (jobs: readonly Job[], errors: readonly unknown[]) => void;
  readonly onClear: () => void;
}

const words = { cancel: 'Cancel', delete: 'Delete' } as const satisfies Record<Act, string>;

/** Cancels, deletes or downloads the selected jobs for which that is possible. */
export function SelectionBar({ marked, onDiscarded, onClear }: SelectionBarProps) {
  const service = useService();
  const [asking, setAsking] = useState<Act>();
  const discard = async (act: Act) => {
    const wanted = jobsFor(act, marked);
    onClear();
    actSoon(`${countJobs(wanted.length)} will be ${past[act]}`, () => {
      void discardJobs(service, act, wanted).then((discarded) => {
        announce(describeResults(act, discarded));
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
            {words[act]} {count > 0 && countJobs(count)}
          </button>
        );
      })}
      <SaveAllButton jobs={marked} label="Download files" />
      <PlainButton onClick={onClear}>Clear selection</PlainButton>
      {asking && (
        <Confirm
          title={`${words[asking]} ${countJobs(jobsFor(asking, marked).length)}?`}
          act={`${words[asking]} jobs`}
          onAct={() => discard(asking)}
          onClose={() => setAsking(undefined)}
        >
          {describeEffects(asking, marked).map((sentence) => (
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

/** The selected jobs, and the one selected last, from which a range starts. */
interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly last: string | undefined;
}

export const nothingMarked: Selection = { ids: new Set(), last: undefined };

export function markAll(listed: readonly { readonly job_id: string }[]): Selection {
  return { ids: new Set(listed.map(({ job_id: id }) => id)), last: undefined };
}

export function toggleMark({ ids }: Selection, id: string): Selection {
  const marked = new Set(ids);
  if (!marked.delete(id)) marked.add(id);
  return { ids: marked, last: id };
}

/** Selects the range from the last job to this one, or deselects it if the last one was deselected. */
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
