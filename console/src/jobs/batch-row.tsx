import { writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import { viewMeaning } from '#client/src/format/jobs/describe-stage.ts';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { writeCount } from '#client/src/format/numbers/write-number.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { Batch, Job } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf, systemOf } from '../browser/address.ts';
import { chargingOf } from '../live/catalog.ts';
import { Chips } from '../parts/chips.tsx';
import { Moment } from '../parts/moment.tsx';
import { type BatchState, CountsBar } from '../parts/share-bar.tsx';
import { phrase } from './words.ts';

/** Leads from the list of jobs to the list of batches, and back. */
export function ListChips({ current }: { readonly current: 'jobs' | 'batches' }) {
  return (
    <Chips
      label={phrase('list')}
      values={['jobs', 'batches'] as const}
      current={current}
      addressOf={(list) => addressOf[list]}
      write={(list) => (list === 'jobs' ? phrase('listOfJobs') : phrase('listOfBatches'))}
    />
  );
}

interface ListedBatchProps {
  /** The first of its jobs in the list. */
  readonly job: Job;
  readonly batches: ReadonlyMap<string, Batch>;
  /** How many of its jobs are in the list. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Shows a batch in place of its jobs. */
export function ListedBatch({ job, batches, counts }: ListedBatchProps) {
  const { batch: id = '' } = job;
  const batch = batches.get(id);
  return batch ? (
    <BatchRow batch={batch} amongJobs />
  ) : (
    <FoldedRow job={job} count={counts.get(id) ?? 0} />
  );
}

interface BatchRowProps {
  readonly batch: Batch;
  /** Whether the column of times has the time limits of jobs. */
  readonly amongJobs?: boolean;
}

/** Shows a batch as one row: its title, its counts as a bar, and its price or the limit of its jobs. */
export function BatchRow({ batch, amongJobs = false }: BatchRowProps) {
  const { title, count, counts, batch_id: id } = batch;
  const time = amongJobs ? describeLimit(batch) : describePrice(batch);
  return (
    <a href={addressOf.batch(batch)} class="job-row">
      <BatchMark batch={batch} />
      <span class="title" title={title}>
        {title === '' ? <em class="quiet">{phrase('untitled')}</em> : title}
      </span>
      <span class="quiet where" title={`${systemOf(batch)} · ${batch.project_name}`}>
        {phrase('batchOf', { count })} · {systemOf(batch)} · {batch.project_name}
      </span>
      <span class="number time" title={time.means}>
        {time.text}
        <CountsBar counts={counts} />
      </span>
      <span class="number age">
        <Moment at={batch.init_date} />
      </span>
      <code class="quiet id" title={id}>
        {writeShortId(id)}
      </code>
    </a>
  );
}

/** Shows a batch of which only some jobs were read. Its page has the rest. */
function FoldedRow({ job, count }: { readonly job: Job; readonly count: number }) {
  const limit = describeLimit(job);
  return (
    <a href={addressOf.batch({ ...job, batch_id: job.batch ?? '' })} class="job-row">
      <span class="quiet">{phrase('batch')}</span>
      <span class="title" title={job.title}>
        {job.title}
      </span>
      <span class="quiet where" title={`${systemOf(job)} · ${job.project_name}`}>
        {writeCount(count, 'job')} · {systemOf(job)} · {job.project_name}
      </span>
      <span class="number time" title={limit.means}>
        {limit.text}
      </span>
      <span class="number age">
        <Moment at={job.init_date} />
      </span>
      <code class="quiet id">{writeShortId(job.batch ?? '')}</code>
    </a>
  );
}

/** Writes what the jobs have used so far, and what they still hold. */
function describePrice({ used, held, project_hpc: hpc }: Batch) {
  const text = writeNodeTime(used.time + held.time, chargingOf(hpc));
  return { text, means: phrase('usedAndReserved') };
}

/** Writes how long a job may run. All jobs of a batch have the same limit. */
export function describeLimit({ runtime }: Pick<Job, 'runtime'>) {
  return {
    text: writeDuration(runtime * 3600),
    means: phrase('limitInHours', { count: runtime }),
  };
}

/** Shows the state of a whole batch by colour, sign and word. */
export function BatchMark({ batch }: { readonly batch: Batch }) {
  const { state, label } = summarize(batch);
  return (
    <span class={`stage ${state}`}>
      <span aria-hidden="true">{viewMeaning(state).icon}</span> {label}
    </span>
  );
}

/** Says what a batch does as a whole. Failures are named as soon as there are some. */
export function summarize({ counts, end_date: end }: Pick<Batch, 'counts' | 'end_date'>): {
  readonly state: BatchState;
  readonly label: string;
} {
  const { failed, done, cancelled, running } = counts;
  if (failed > 0) return { state: 'failed', label: phrase('someFailed', { count: failed }) };
  if (end === null) {
    const state = running > 0 || done > 0 ? 'running' : 'waiting';
    return { state, label: term(state) };
  }
  const state = cancelled > 0 ? 'cancelled' : 'done';
  return { state, label: term(state) };
}
