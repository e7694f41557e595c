import { isBatchId, writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import type { Batch, Job, Slipway } from '#client/src/index.ts';
import { systemOf } from '../browser/address.ts';
import { useLive } from '../live/use-live.ts';
import { PlainButton, SelectField, TextField } from '../parts/form.tsx';
import { type Draft, splitIds } from './draft.ts';
import { phrase, rich } from './words.ts';

/** The service accepts no more. */
const mostAwaited = 20;
/** Of each kind. */
const mostOffered = 100;
/** More than are offered, because the newest may all belong to one batch. */
const mostRead = 1000;

type Waits = Pick<Draft, 'after' | 'anyEnd' | 'inputFrom' | 'inputFolder' | 'inputFailed'>;

interface AfterFieldProps {
  readonly draft: Waits;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<Waits>) => void;
}

/** What the new job needs of a job or batch that it waits for. */
export type Need = 'success' | 'end' | 'results' | 'some';

/** Reads what a new job may wait for: active jobs, batches, and jobs whose results it may use. */
async function readOffered(service: Slipway, signal: AbortSignal) {
  const [jobs, batches] = await Promise.all([
    service.listJobs({ order: 'desc', limit: mostRead }, { signal }),
    service.listBatches({ limit: mostOffered }, { signal }),
  ]);
  const single = jobs.filter(({ batch }) => batch === undefined);
  return {
    active: single
      .filter(({ terminal_stage: ended }) => !ended)
      .slice(0, mostOffered)
      .map(offer),
    batches: batches.map(offer),
    ended: single.filter(endedWell).slice(0, mostOffered).map(offer),
  };
}

interface Offered {
  readonly id: string;
  readonly title: string;
  readonly hpc: string;
}

function offer(made: Job | Batch): Offered {
  const id = 'job_id' in made ? made.job_id : made.batch_id;
  return { id, title: made.title || writeShortId(id), hpc: systemOf(made) };
}

function endedWell({ terminal_stage: ended, failed, stage }: Job): boolean {
  return ended && !failed && stage !== 'CANCELED' && stage !== 'DELETED';
}

const nothing: Awaited<ReturnType<typeof readOffered>> = { active: [], batches: [], ended: [] };

/** Chooses the jobs and batches that the new job waits for, and what it needs of each. */
export function AfterField({ draft, problems, onChange }: AfterFieldProps) {
  const { value: known = nothing } = useLive('jobs to wait for', readOffered);
  const all = Object.values(known).flat();
  const chosen = splitIds(draft.after);
  const problem = ['after', 'after_any', 'input_from'].flatMap((name) => problems.get(name) ?? []);
  const nameOf = (id: string) => {
    const found = all.find((each) => each.id === id);
    return found ? phrase('jobOn', { job: found.title, hpc: found.hpc }) : id;
  };
  if (all.length === 0 && chosen.length === 0) return null;
  const group = (label: string, offered: readonly Offered[]) =>
    offered.length > 0 && (
      <optgroup label={label}>
        {offered
          .filter(({ id }) => !chosen.includes(id))
          .map(({ id }) => (
            <option key={id} value={id}>
              {nameOf(id)} ({writeShortId(id)})
            </option>
          ))}
      </optgroup>
    );
  return (
    <div>
      {chosen.length < mostAwaited && (
        <SelectField
          label={phrase('after')}
          hint={problem[0] ?? phrase('afterHint')}
          value=""
          onValue={(id) => id !== '' && onChange({ after: [...chosen, id].join(' ') })}
        >
          <option value="">{chosen.length === 0 ? phrase('rightAway') : phrase('another')}</option>
          {group(phrase('activeJobs'), known.active)}
          {group(phrase('batches'), known.batches)}
          {group(phrase('endedJobs'), known.ended)}
        </SelectField>
      )}
      {chosen.length > 0 && (
        <ul class="chosen-jobs" aria-label={phrase('waitsFor')}>
          {chosen.map((id) => (
            <li key={id} class="line">
              {nameOf(id)}
              <select
                aria-label={phrase('startsOnce', { job: nameOf(id) })}
                value={needOf(draft, id)}
                onChange={({ currentTarget: { value } }) =>
                  onChange(
                    changeNeed(
                      draft,
                      id,
                      needs.find((need) => need === value),
                    ),
                  )
                }
              >
                {needsFor(id).map((need) => (
                  <option key={need} value={need}>
                    {words[need]()}
                  </option>
                ))}
              </select>
              <PlainButton onClick={() => onChange(stopWaiting(draft, id))}>
                {rich('remove', { job: <span class="said">{nameOf(id)}</span> })}
              </PlainButton>
            </li>
          ))}
        </ul>
      )}
      {draft.inputFrom !== '' && (
        <TextField
          label={phrase('folder')}
          hint={phrase('folderHint')}
          error={problems.get('input_folder')}
          value={draft.inputFolder}
          onValue={(inputFolder) => onChange({ inputFolder })}
        />
      )}
    </div>
  );
}

const needs: readonly Need[] = ['success', 'end', 'results', 'some'];

/** Only a batch has some results. */
function needsFor(id: string): readonly Need[] {
  return isBatchId(id) ? needs : needs.filter((need) => need !== 'some');
}

const words: Record<Need, () => string> = {
  success: () => phrase('endedWell'),
  end: () => phrase('ended'),
  results: () => phrase('endedWithResults'),
  some: () => phrase('endedWithSome'),
};

export function needOf({ anyEnd, inputFrom, inputFailed }: Waits, id: string): Need {
  if (inputFrom === id) return inputFailed === 'leave_out' ? 'some' : 'results';
  return splitIds(anyEnd).includes(id) ? 'end' : 'success';
}

/** Changes what is needed of a job or batch. Only one of them can give its results. */
export function changeNeed(draft: Waits, id: string, need: Need = 'success'): Partial<Waits> {
  const others = splitIds(draft.anyEnd).filter((each) => each !== id);
  const anyEnd = [...others, ...(need === 'end' ? [id] : [])].join(' ');
  if (need === 'results') return { anyEnd, inputFrom: id, inputFailed: '' };
  if (need === 'some') return { anyEnd, inputFrom: id, inputFailed: 'leave_out' };
  return draft.inputFrom === id ? { anyEnd, inputFrom: '', inputFailed: '' } : { anyEnd };
}

export function stopWaiting(draft: Waits, id: string): Partial<Waits> {
  const after = splitIds(draft.after).filter((each) => each !== id);
  return { ...changeNeed(draft, id), after: after.join(' ') };
}
