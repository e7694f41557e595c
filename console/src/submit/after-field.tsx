import { writeShortId } from '#client/src/format/write-short-id.ts';
import { systemOf } from '../browser/address.ts';
import { useLive } from '../live/use-live.ts';
import { PlainButton, SelectField, TextField } from '../parts/form.tsx';
import { type Draft, splitIds } from './draft.ts';
import { phrase, rich } from './words.ts';

/** The service accepts no more. */
const mostAwaited = 20;
const mostOffered = 100;
/** More than are offered, because the newest may all belong to one batch. */
const mostRead = 1000;

type Waits = Pick<Draft, 'after' | 'anyEnd' | 'inputFrom' | 'inputFolder'>;

interface AfterFieldProps {
  readonly draft: Waits;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (change: Partial<Waits>) => void;
}

/** What the new job needs of a job that it waits for. */
export type Need = 'success' | 'end' | 'results';

/** Chooses the active jobs that the new job waits for, and what it needs of each. */
export function AfterField({ draft, problems, onChange }: AfterFieldProps) {
  const { value: active = [] } = useLive('jobs to wait for', async (service, signal) => {
    const asked = { terminal: false, order: 'desc', limit: mostRead } as const;
    const jobs = await service.listJobs(asked, { signal });
    return jobs.filter(({ batch }) => batch === undefined).slice(0, mostOffered);
  });
  const chosen = splitIds(draft.after);
  const problem = ['after', 'after_any', 'input_from'].flatMap((name) => problems.get(name) ?? []);
  const offered = active.filter(({ job_id: id }) => !chosen.includes(id));
  const nameOf = (id: string) => {
    const job = active.find(({ job_id: each }) => each === id);
    return job ? phrase('jobOn', { job: job.title || writeShortId(id), hpc: systemOf(job) }) : id;
  };
  if (active.length === 0 && chosen.length === 0) return null;
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
          {offered.map((job) => (
            <option key={job.job_id} value={job.job_id}>
              {nameOf(job.job_id)} ({writeShortId(job.job_id)})
            </option>
          ))}
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
                {needs.map((need) => (
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

const needs: readonly Need[] = ['success', 'end', 'results'];

const words: Record<Need, () => string> = {
  success: () => phrase('endedWell'),
  end: () => phrase('ended'),
  results: () => phrase('endedWithResults'),
};

export function needOf({ anyEnd, inputFrom }: Waits, id: string): Need {
  if (inputFrom === id) return 'results';
  return splitIds(anyEnd).includes(id) ? 'end' : 'success';
}

/** Changes what is needed of a job. Only one job can give its results. */
export function changeNeed(draft: Waits, id: string, need: Need = 'success'): Partial<Waits> {
  const others = splitIds(draft.anyEnd).filter((each) => each !== id);
  const before = draft.inputFrom === id ? '' : draft.inputFrom;
  return {
    anyEnd: [...others, ...(need === 'end' ? [id] : [])].join(' '),
    inputFrom: need === 'results' ? id : before,
  };
}

export function stopWaiting(draft: Waits, id: string): Partial<Waits> {
  const after = splitIds(draft.after).filter((each) => each !== id);
  return { ...changeNeed(draft, id), after: after.join(' ') };
}
