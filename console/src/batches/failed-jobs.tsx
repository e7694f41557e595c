import { useState } from 'preact/hooks';
import { tell } from '#client/src/format/sentences/tell.ts';
import { type Job, placeOf, type Slipway } from '#client/src/index.ts';
import { chooseOutput } from '#client/src/jobs/last-line.ts';
import { describeNoFiles } from '#client/src/jobs/read-file.ts';
import { addressOf } from '../browser/address.ts';
import { readText } from '../job/read-contents.ts';
import { useLive } from '../live/use-live.ts';
import { Button, Form, PlainButton } from '../parts/form.tsx';
import { Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { phrase, rich } from './words.ts';

const atOnce = 20;

/** Lists failed jobs. The reason and the output of one are loaded when it is opened. */
export function FailedJobs({ jobs }: { readonly jobs: readonly Job[] }) {
  const [shown, setShown] = useState(atOnce);
  return (
    <section aria-labelledby="failed-title">
      <h2 id="failed-title">{phrase('failed')}</h2>
      <ul class="failed-jobs">
        {jobs.slice(0, shown).map((job) => (
          <li key={job.job_id} class="failed-job">
            <FailedJob job={job} />
          </li>
        ))}
      </ul>
      {jobs.length > shown && (
        <Button onClick={() => setShown(shown + atOnce)}>
          {phrase('showMoreOf', { count: jobs.length })}
        </Button>
      )}
    </section>
  );
}

function FailedJob({ job }: { readonly job: Job }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <strong class="number">{job.index}</strong> {job.title}{' '}
        {job.end_date !== null && (
          <span class="quiet">
            <Moment at={job.end_date} />
          </span>
        )}
      </summary>
      {open && <JobBrief job={job} />}
    </details>
  );
}

interface ChosenJobProps {
  readonly jobs: readonly Job[];
  readonly chosen: Job | undefined;
  readonly onChoose: (jobId: string | undefined) => void;
}

/** Finds a job by its index, and shows the end of its output. */
export function ChosenJob({ jobs, chosen, onChoose }: ChosenJobProps) {
  const [typed, setTyped] = useState('');
  const found = jobs.find(({ index }) => String(index) === typed.trim());
  return (
    <>
      <Form class="line" onSubmit={() => found && onChoose(found.job_id)}>
        <label class="inline">
          {phrase('index')}
          <input
            class="short"
            inputMode="numeric"
            autocomplete="off"
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={!found}>
          {phrase('showOutput')}
        </button>
        {typed.trim() !== '' && !found && (
          <span class="quiet" role="status">
            {phrase('noSuchIndex')}
          </span>
        )}
      </Form>
      {chosen && (
        <section class="panel" aria-label={phrase('chosenJob')}>
          <p class="line">
            <strong>{phrase('indexOf', { index: chosen.index ?? '' })}</strong> {chosen.title}
            <StageMark job={chosen} />
            <PlainButton onClick={() => onChoose(undefined)}>{phrase('close')}</PlainButton>
          </p>
          <JobBrief key={chosen.job_id} job={chosen} />
        </section>
      )}
    </>
  );
}

/** Shows why a job ended or waits, and the end of its output. */
function JobBrief({ job }: { readonly job: Job }) {
  const { value, error, refresh } = useLive(
    `brief ${job.job_id} ${job.stage}`,
    (service, signal) => readBrief(service, job, signal),
    { active: () => !job.terminal_stage },
  );
  return (
    <div class="brief">
      <Loading value={value} error={error} refresh={refresh} rows={2} />
      {value?.reason && <p class={job.failed ? 'note bad' : 'note'}>{tell(value.reason)}</p>}
      {value &&
        (value.end === undefined ? (
          <p class="quiet">{describeNoFiles(job)}</p>
        ) : (
          <>
            <p class="quiet">{rich('endOf', { file: <code>{value.name}</code> })}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard. */}
            <pre tabIndex={0}>{value.end === '' ? phrase('emptyFile') : value.end}</pre>
          </>
        ))}
      <p>
        <a href={addressOf.job(job)}>{phrase('openJob')}</a>
      </p>
    </div>
  );
}

interface Brief {
  readonly reason: string | null;
  readonly name?: string;
  /** The last lines. Undefined if there is no output that can be shown. */
  readonly end?: string | undefined;
}

/** More would take long, and only the end is shown. */
const mostBytes = 2_000_000;

async function readBrief(service: Slipway, job: Job, signal: AbortSignal): Promise<Brief> {
  const place = placeOf(job);
  const [{ reason }, files] = await Promise.all([
    service.getTimeline(place, { signal }),
    service.listFiles(place, { signal }),
  ]);
  const file = chooseOutput(files, job);
  if (!file || file.length > mostBytes) return { reason };
  const text = await readText(
    await service.readFile({ ...place, file_id: file.fileid }, { signal }),
  );
  return { reason, name: file.filename, end: text === undefined ? undefined : lastLines(text) };
}

const mostLines = 20;

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-mostLines).join('\n');
}
