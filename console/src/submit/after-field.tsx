import { writeShortId } from '#client/src/format/write-short-id.ts';
import { systemOf } from '../browser/address.ts';
import { useLive } from '../live/use-live.ts';
import { PlainButton, SelectField } from '../parts/form.tsx';

/** The service accepts no more. */
const mostAwaited = 20;
const mostOffered = 100;
/** More than are offered, because the newest may all belong to one batch. */
const mostRead = 1000;

interface AfterFieldProps {
  /** Ids with spaces between them. */
  readonly after: string;
  readonly error: string | undefined;
  readonly onAfter: (after: string) => void;
}

/** Chooses the active jobs that the new job waits for. */
export function AfterField({ after, error, onAfter }: AfterFieldProps) {
  const { value: active = [] } = useLive('jobs to wait for', async (service, signal) => {
    const asked = { terminal: false, order: 'desc', limit: mostRead } as const;
    const jobs = await service.listJobs(asked, { signal });
    return jobs.filter(({ batch }) => batch === undefined).slice(0, mostOffered);
  });
  const chosen = after.split(' ').filter((id) => id !== '');
  const offered = active.filter(({ job_id: id }) => !chosen.includes(id));
  const nameOf = (id: string) => {
    const job = active.find(({ job_id: each }) => each === id);
    return job ? `${job.title || writeShortId(id)} on ${systemOf(job)}` : id;
  };
  if (active.length === 0 && chosen.length === 0) return null;
  return (
    <div>
      {chosen.length < mostAwaited && (
        <SelectField
          label="After"
          hint={error ?? 'optional: starts once these jobs have ended well'}
          value=""
          onValue={(id) => id !== '' && onAfter([...chosen, id].join(' '))}
        >
          <option value="">{chosen.length === 0 ? 'right away' : 'and another job'}</option>
          {offered.map((job) => (
            <option key={job.job_id} value={job.job_id}>
              {nameOf(job.job_id)} ({writeShortId(job.job_id)})
            </option>
          ))}
        </SelectField>
      )}
      {chosen.length > 0 && (
        <ul class="chosen-jobs" aria-label="Waits for">
          {chosen.map((id) => (
            <li key={id} class="line">
              {nameOf(id)}
              <PlainButton onClick={() => onAfter(chosen.filter((each) => each !== id).join(' '))}>
                Remove <span class="said">{nameOf(id)}</span>
              </PlainButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
