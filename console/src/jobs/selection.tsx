import { useState } from 'preact/hooks';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import type { Job } from '#client/src/index.ts';
import { useService } from '../connection/session.ts';
import {
  type Act,
  describeEffects,
  describeResults,
  discardJobs,
  jobsFor,
} from '../job/discard-jobs.ts';
import { SaveAllButton } from '../job/save-all-button.tsx';
import { announce } from '../live/announce.ts';
import { actSoon } from '../live/undo.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Button, PlainButton } from '../parts/form.tsx';
import { phrase } from './words.ts';

interface SelectionBarProps {
  readonly marked: readonly Job[];
  readonly onDiscarded: (jobs: readonly Job[], errors: readonly unknown[]) => void;
  readonly onClear: () => void;
}

interface WordsOfAct {
  /** On the button, if it is possible for some jobs, or for none. */
  readonly some: (jobs: string) => string;
  readonly none: () => string;
  readonly ask: (jobs: string) => string;
  readonly confirm: () => string;
  readonly soon: (count: number) => string;
}

const words: Readonly<Record<Act, WordsOfAct>> = {
  cancel: {
    some: (jobs) => phrase('cancelCount', { jobs }),
    none: () => phrase('cancel'),
    ask: (jobs) => phrase('askCancel', { jobs }),
    confirm: () => phrase('cancelJobs'),
    soon: (count) => phrase('cancelSoon', { count }),
  },
  delete: {
    some: (jobs) => phrase('deleteCount', { jobs }),
    none: () => phrase('delete'),
    ask: (jobs) => phrase('askDelete', { jobs }),
    confirm: () => phrase('deleteJobs'),
    soon: (count) => phrase('deleteSoon', { count }),
  },
};

/** Cancels, deletes or downloads the selected jobs for which that is possible. */
export function SelectionBar({ marked, onDiscarded, onClear }: SelectionBarProps) {
  const service = useService();
  const [asking, setAsking] = useState<Act>();
  const discard = async (act: Act) => {
    const wanted = jobsFor(act, marked);
    onClear();
    actSoon(words[act].soon(wanted.length), () => {
      void discardJobs(service, act, wanted).then((discarded) => {
        announce(describeResults(act, discarded));
        onDiscarded(discarded.jobs, discarded.errors);
      });
    });
  };
  return (
    <section class="selection line" aria-label={phrase('selectedJobs')}>
      <strong role="status">
        {phrase('selected', { jobs: writeCount(marked.length, 'job') })}
      </strong>
      {(['cancel', 'delete'] as const).map((act) => {
        const count = jobsFor(act, marked).length;
        return (
          <Button key={act} class="danger" disabled={count === 0} onClick={() => setAsking(act)}>
            {count > 0 ? words[act].some(writeCount(count, 'job')) : words[act].none()}
          </Button>
        );
      })}
      <SaveAllButton jobs={marked} label={phrase('downloadFiles')} />
      <PlainButton onClick={onClear}>{phrase('clearSelection')}</PlainButton>
      {asking && (
        <Confirm
          title={words[asking].ask(writeCount(jobsFor(asking, marked).length, 'job'))}
          act={words[asking].confirm()}
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
        aria-label={phrase('select', { name })}
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
