import { useMemo, useState } from 'preact/hooks';
import { writeNodeTime, writeSize } from '#client/src/format/amounts.ts';
import { writeDuration } from '#client/src/format/duration.ts';
import type { Batch, Job } from '#client/src/index.ts';
import {
  addressOf,
  type BatchPlace,
  goTo,
  query,
  systemOf,
  withQuery,
} from '../browser/address.ts';
import { useService } from '../connection/session.ts';
import { countJobs } from '../job/discard-jobs.ts';
import { BatchMark } from '../jobs/batch-row.tsx';
import { JobRow, JobRows } from '../jobs/job-rows.tsx';
import { announce } from '../live/announce.ts';
import { chargingOf, stageOf } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Chips } from '../parts/chips.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Loading, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { batchStates, CountsBar, describeCounts } from '../parts/share-bar.tsx';
import { BatchStrip } from './batch-strip.tsx';
import { ChosenJob, FailedJobs } from './failed-jobs.tsx';
import { jobAt, layOutCells, stateOf, useBatchJobs } from './use-batch-jobs.ts';

export function BatchPage({ at: { hpc, project, batchId } }: { readonly at: BatchPlace }) {
  const where = { hpc, project_name: project, batch_id: batchId };
  const { value, error, refresh } = useLive(
    `batch ${batchId}`,
    (service, signal) => service.getBatch(where, { signal }),
    { active: ({ end_date: end }) => end === null },
  );
  const problem = error !== undefined && <ProblemNote error={error} onRetry={refresh} />;
  if (!value) return problem || <Skeleton rows={6} />;
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{nameBatch(value)}</h1>
          <p class="line">
            <span role="status">
              <BatchMark batch={value} />
            </span>
            <span class="quiet">
              {systemOf(value)} · {value.project_name}
            </span>
            <CopyButton text={value.batch_id} label={value.batch_id} />
          </p>
        </div>
        <Acts batch={value} where={where} onChanged={refresh} />
      </header>
      {problem}
      <BatchBody batch={value} />
    </>
  );
}

function nameBatch({ title }: Batch): string {
  return title === '' ? 'Untitled batch' : title;
}

const lists = ['all', ...batchStates] as const;

/** Shows the counts, a cell for each job, the failed jobs, and all jobs. */
function BatchBody({ batch }: { readonly batch: Batch }) {
  const { jobs, error } = useBatchJobs(batch);
  const [chosen, setChosen] = useState<string>();
  const read = jobs ?? [];
  const meaningOf = stageOf.value;
  const cells = useMemo(
    () => layOutCells(batch, read, meaningOf),
    [batch.count, batch.end_date, jobs, meaningOf],
  );
  const wanted = query.value.get('state');
  const current = lists.find((list) => list === wanted) ?? 'all';
  // Ten thousand jobs are not gone through again whenever the counts change.
  const { failed, listed } = useMemo(() => {
    const within = (list: string) => read.filter((job) => stateOf(job, meaningOf) === list);
    return { failed: within('failed'), listed: current === 'all' ? read : within(current) };
  }, [jobs, meaningOf, current]);
  const said = describeCounts(batch.counts);
  return (
    <>
      <section aria-labelledby="counts-title">
        <h2 id="counts-title">Progress</h2>
        <CountsBar counts={batch.counts} />
        <ul class="legend counts">
          {batchStates.map((state) => (
            <li key={state} class={`key of-${state}`}>
              <strong class="number">{batch.counts[state].toLocaleString('en-US')}</strong> {state}
            </li>
          ))}
        </ul>
        <BatchStrip
          cells={cells}
          label={said}
          nameOf={(place) => nameJob(jobAt(read, place)) ?? `Job ${place + 1} of ${batch.count}`}
          onChoose={(place) => setChosen(jobAt(read, place)?.job_id)}
        />
        {error !== undefined && <ProblemNote error={error} />}
        <ChosenJob
          jobs={read}
          chosen={read.find(({ job_id: id }) => id === chosen)}
          onChoose={setChosen}
        />
      </section>
      {failed.length > 0 && <FailedJobs jobs={failed} />}
      <div class="columns">
        <Details batch={batch} />
        <Account batch={batch} />
      </div>
      <section aria-labelledby="jobs-title" class="batch-jobs">
        <h2 id="jobs-title">Jobs</h2>
        <Chips
          label="Jobs by state"
          values={lists}
          current={current}
          addressOf={(list) =>
            withQuery(addressOf.batch(batch), { state: list === 'all' ? undefined : list })
          }
        />
        <Loading value={jobs} error={undefined} refresh={() => undefined} />
        {jobs && (
          <p class="quiet" role="status">
            {countJobs(listed.length)}
            {current === 'all' && read.length < batch.count && batch.end_date === null
              ? ' so far. The others are being created.'
              : '.'}
          </p>
        )}
        {listed.length > 0 && (
          <JobRows jobs={listed}>{(job) => <JobRow job={job} where={nameJob(job)} />}</JobRows>
        )}
      </section>
    </>
  );
}

function nameJob(job: Job | undefined): string | undefined {
  return job?.index === undefined ? undefined : `index ${job.index}`;
}

interface ActsProps {
  readonly batch: Batch;
  readonly where: {
    readonly hpc: string;
    readonly project_name: string;
    readonly batch_id: string;
  };
  readonly onChanged: () => void;
}

/** Offers to cancel or delete the batch, and to run its failed jobs again. Each asks first. */
function Acts({ batch, where, onChanged }: ActsProps) {
  const service = useService();
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'again'>();
  const { counts } = batch;
  const close = () => setAsking(undefined);
  const discard = async (only: 'cancel' | 'delete') => {
    await service.deleteBatch({ ...where, only });
    announce(only === 'cancel' ? 'The batch is being cancelled.' : 'The batch is being deleted.');
    onChanged();
  };
  const act = batch.end_date === null ? 'cancel' : 'delete';
  return (
    <div class="line">
      {counts.failed > 0 && (
        <button type="button" onClick={() => setAsking('again')}>
          Run the failed again
        </button>
      )}
      <button type="button" class="danger" onClick={() => setAsking(act)}>
        {act === 'cancel' ? 'Cancel batch' : 'Delete batch'}
      </button>
      {asking === 'again' && (
        <Confirm
          title={`Run ${countJobs(counts.failed)} again?`}
          act="Run again"
          onAct={async () => {
            const again = await service.repeatFailed(where);
            announce('Batch submitted.');
            goTo(addressOf.batch(again));
          }}
          onClose={close}
        >
          <p>
            The failed jobs become a batch of their own, with the same zip and the same values. Time
            is reserved for them again.
          </p>
        </Confirm>
      )}
      {asking === 'cancel' && (
        <Confirm
          title={`Cancel ${nameBatch(batch)}?`}
          act="Cancel batch"
          onAct={() => discard('cancel')}
          onClose={close}
        >
          <p>{describeCancel(batch)}</p>
          <p>
            Jobs that have ended keep their output. The zip of the batch is removed, so failed jobs
            can then only be run again with a new submission.
          </p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={`Delete ${nameBatch(batch)}?`}
          act="Delete batch"
          onAct={() => discard('delete')}
          onClose={close}
        >
          <p>
            The files of its {countJobs(batch.count)} and its zip are deleted for good
            {batch.held.space > 0 && `, and ${writeSize(batch.held.space * 1000)} are free again`}.
            The batch stays in your lists with what it used.
          </p>
        </Confirm>
      )}
    </div>
  );
}

/** Says which jobs stop, and what is given back. */
export function describeCancel({ counts, held, project_hpc: hpc }: Batch): string {
  const { waiting, running } = counts;
  const time = writeNodeTime(held.time, chargingOf(hpc));
  const stopped = `${countJobs(waiting + running)} will stop and cannot be resumed. They hold ${time}.`;
  if (running === 0) return `${stopped} All of it is returned.`;
  const charged = 'You are charged for the time that running jobs have used so far.';
  return `${stopped} ${charged} The rest is returned.`;
}

function Details({ batch }: { readonly batch: Batch }) {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">Details</h2>
      <Pairs
        of={[
          {
            name: 'Jobs',
            value: <span class="number">{batch.count.toLocaleString('en-US')}</span>,
          },
          {
            name: 'At once',
            value: batch.max_running === null ? 'as many as the system runs' : batch.max_running,
          },
          {
            name: 'Time limit of each',
            value: writeDuration(batch.runtime * 3600),
            title: `${batch.runtime} hours`,
          },
          { name: 'Submitted', value: <Moment at={batch.init_date} /> },
          {
            name: 'Ended',
            value: batch.end_date === null ? 'not yet' : <Moment at={batch.end_date} />,
          },
        ]}
      />
    </section>
  );
}

function Account({ batch }: { readonly batch: Batch }) {
  const write = (seconds: number) => writeNodeTime(seconds, chargingOf(batch.project_hpc));
  const { held, used } = batch;
  return (
    <section aria-labelledby="account-title">
      <h2 id="account-title">Quota</h2>
      <Pairs
        of={[
          { name: 'Reserved', value: write(held.time), title: `${held.time} seconds` },
          { name: 'Used', value: write(used.time), title: `${used.time} seconds` },
          { name: 'Space of the zip', value: writeSize(held.space * 1000) },
        ]}
      />
      <p>
        <a href={addressOf.ledger(batch)}>Ledger of {batch.project_name}</a>
      </p>
    </section>
  );
}
