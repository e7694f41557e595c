import { useState } from 'preact/hooks';
import type { Job } from '#client/src/index.ts';
import { Button, Form, PlainButton } from '../parts/form.tsx';
import { Moment } from '../parts/moment.tsx';
import { StageMark } from '../parts/stage-mark.tsx';
import { JobBrief } from './job-brief.tsx';
import { phrase } from './words.ts';

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
