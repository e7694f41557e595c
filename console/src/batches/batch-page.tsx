import { useMemo, useState } from 'preact/hooks';
import { writeNodeTime, writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeCount, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { writeDuration } from '#client/src/format/times/duration.ts';
import type { Batch, Job } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import {
  addressOf,
  type BatchPlace,
  goTo,
  query,
  systemOf,
  withQuery,
} from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useService } from '../connection/session.ts';
import { BatchMark } from '../jobs/batch-row.tsx';
import { JobRow, JobRows } from '../jobs/job-rows.tsx';
import { announce } from '../live/announce.ts';
import { chargingOf, stageOf } from '../live/catalog.ts';
import { useLive } from '../live/use-live.ts';
import { Chips } from '../parts/chips.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Button } from '../parts/form.tsx';
import { Loading, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { Pairs } from '../parts/pairs.tsx';
import { batchStates, CountsBar, describeCounts } from '../parts/share-bar.tsx';
import { BatchStrip } from './batch-strip.tsx';
import { ChosenJob, FailedJobs } from './failed-jobs.tsx';
import { jobAt, layOutCells, stateOf, useBatchJobs } from './use-batch-jobs.ts';
import { phrase } from './words.ts';

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
  return title === '' ? phrase('untitled') : title;
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
        <h2 id="counts-title">{phrase('progress')}</h2>
        <CountsBar counts={batch.counts} />
        <ul class="legend counts">
          {batchStates.map((state) => (
            <li key={state} class={`key of-${state}`}>
              <strong class="number">{writeNumber(batch.counts[state])}</strong> {term(state)}
            </li>
          ))}
        </ul>
        <BatchStrip
          cells={cells}
          label={said}
          nameOf={(place) =>
            nameJob(jobAt(read, place)) ?? phrase('jobOf', { job: place + 1, all: batch.count })
          }
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
        <h2 id="jobs-title">{pageNames.jobs()}</h2>
        <Chips
          label={phrase('jobsByState')}
          values={lists}
          current={current}
          addressOf={(list) =>
            withQuery(addressOf.batch(batch), { state: list === 'all' ? undefined : list })
          }
          write={(list) => (list === 'all' ? phrase('all') : term(list))}
        />
        <Loading value={jobs} error={undefined} refresh={() => undefined} />
        {jobs && (
          <p class="quiet" role="status">
            {current === 'all' && read.length < batch.count && batch.end_date === null
              ? phrase('jobsSoFar', { jobs: writeCount(listed.length, 'job') })
              : `${writeCount(listed.length, 'job')}.`}
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
  return job?.index === undefined ? undefined : phrase('indexOf', { index: job.index });
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

/** Offers to use the results of the batch, to run its failed jobs again, and to cancel or delete it. */
function Acts({ batch, where, onChanged }: ActsProps) {
  const service = useService();
  const [asking, setAsking] = useState<'cancel' | 'delete' | 'again'>();
  const { counts } = batch;
  const close = () => setAsking(undefined);
  const discard = async (only: 'cancel' | 'delete') => {
    await service.deleteBatch({ ...where, only });
    announce(only === 'cancel' ? phrase('beingCancelled') : phrase('beingDeleted'));
    onChanged();
  };
  const act = batch.end_date === null ? 'cancel' : 'delete';
  return (
    <div class="line">
      {batch.end_date !== null && counts.done > 0 && (
        <a class="button" href={withQuery(addressOf.submit, { from: batch.batch_id })}>
          {phrase('useResults')}
        </a>
      )}
      {counts.failed > 0 && (
        <Button onClick={() => setAsking('again')}>{phrase('runAgainFailed')}</Button>
      )}
      <Button class="danger" onClick={() => setAsking(act)}>
        {act === 'cancel' ? phrase('cancelBatch') : phrase('deleteBatch')}
      </Button>
      {asking === 'again' && (
        <Confirm
          title={phrase('askRunAgain', { jobs: writeCount(counts.failed, 'job') })}
          act={phrase('runAgain')}
          onAct={async () => {
            const again = await service.repeatFailed(where);
            announce(phrase('submitted'));
            goTo(addressOf.batch(again));
          }}
          onClose={close}
        >
          <p>{phrase('failedBecomeBatch')}</p>
        </Confirm>
      )}
      {asking === 'cancel' && (
        <Confirm
          title={phrase('askCancel', { batch: nameBatch(batch) })}
          act={phrase('cancelBatch')}
          onAct={() => discard('cancel')}
          onClose={close}
        >
          <p>{describeCancel(batch)}</p>
          <p>{phrase('endedKeepOutput')}</p>
        </Confirm>
      )}
      {asking === 'delete' && (
        <Confirm
          title={phrase('askDelete', { batch: nameBatch(batch) })}
          act={phrase('deleteBatch')}
          onAct={() => discard('delete')}
          onClose={close}
        >
          <p>{describeDelete(batch)}</p>
        </Confirm>
      )}
    </div>
  );
}

/** Says which jobs stop, and what is given back. */
export function describeCancel({ counts, held, project_hpc: hpc }: Batch): string {
  const { waiting, running } = counts;
  const time = writeNodeTime(held.time, chargingOf(hpc));
  const stopped = phrase('willStop', { count: waiting + running, time });
  return `${stopped} ${running === 0 ? phrase('allReturned') : phrase('restReturned')}`;
}

/** Says what is gone for good, and what stays. */
function describeDelete({ count, held: { space } }: Batch): string {
  const jobs = writeCount(count, 'job');
  const gone =
    space > 0
      ? phrase('filesDeletedFreeing', { jobs, space: writeSize(space * 1000) })
      : phrase('filesDeleted', { jobs });
  return `${gone} ${phrase('staysListed')}`;
}

function Details({ batch }: { readonly batch: Batch }) {
  return (
    <section aria-labelledby="details-title">
      <h2 id="details-title">{phrase('details')}</h2>
      <Pairs
        of={[
          [pageNames.jobs(), <span class="number">{writeNumber(batch.count)}</span>],
          [phrase('atOnce'), batch.max_running ?? phrase('asManyAsRun')],
          [
            phrase('limitOfEach'),
            writeDuration(batch.runtime * 3600),
            phrase('hours', { count: batch.runtime }),
          ],
          [phrase('submittedAt'), <Moment at={batch.init_date} />],
          [
            phrase('endedAt'),
            batch.end_date === null ? phrase('notYet') : <Moment at={batch.end_date} />,
          ],
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
      <h2 id="account-title">{phrase('quota')}</h2>
      <Pairs
        of={[
          [phrase('reserved'), write(held.time), phrase('seconds', { count: held.time })],
          [phrase('used'), write(used.time), phrase('seconds', { count: used.time })],
          [phrase('spaceOfZip'), writeSize(held.space * 1000)],
        ]}
      />
      <p>
        <a href={addressOf.ledger(batch)}>{pageNames.ledger(batch.project_name)}</a>
      </p>
    </section>
  );
}
