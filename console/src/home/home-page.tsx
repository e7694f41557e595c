import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, adminAddress, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { useSession } from '../connection/session.ts';
import { ListedBatch } from '../jobs/batch-row.tsx';
import { foldBatches, useBatchesById } from '../jobs/fold-batches.ts';
import { JobRow } from '../jobs/job-rows.tsx';
import { Elapsed, useTimelines } from '../jobs/progress.tsx';
import { chargingOf, isCatalogPending, stageOf } from '../live/catalog.ts';
import { isPending, useLive } from '../live/use-live.ts';
import { Empty, ProblemNote, Skeleton } from '../parts/loading.tsx';
import { QuotaCards } from '../quotas/quota-card.tsx';
import { UsageChart } from '../quotas/usage-chart.tsx';
import { sumUsed, useUsage } from '../quotas/use-usage.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { endedSince, noteVisit, useHomeJobs } from './use-home-jobs.ts';
import { phrase, rich } from './words.ts';

/** On a first visit, failures of the last day are shown, because the user may know the command. */
const firstVisitMs = 24 * 60 * 60 * 1000;
const mostShown = 8;
const mostEnded = 5;

export function HomePage() {
  const used = useUsage();
  const usage = used.value;
  const { last, now } = useMemo(() => {
    const begun = new Date();
    return { last: noteVisit(begun), now: begun };
  }, []);
  const { jobs, mayHaveMore, error, refresh } = useHomeJobs(last, now.toISOString());
  const active = jobs?.filter(({ terminal_stage: ended }) => !ended) ?? [];
  const shown = foldBatches(active);
  const batches = useBatchesById(jobs?.some(({ batch }) => batch !== undefined) ?? false);
  // Failed jobs are listed under "Needs attention".
  const ended = last ? endedSince(jobs ?? [], last.at).filter(({ failed }) => !failed) : [];
  const endedShown = foldBatches(ended);
  const { timelines, follow } = useTimelines();
  useEffect(
    () => follow(shown.rows.slice(0, mostShown).filter(({ batch }) => batch === undefined)),
    [jobs],
  );
  const quotas = useHomeQuotas(jobs && active.length);
  const requests = useOpenRequests();
  const isLoading =
    isCatalogPending.value || [{ value: jobs, error }, quotas, requests, used].some(isPending);
  const head = (
    <header class="page-head">
      <h1>{pageNames.home()}</h1>
      <a class="button main" href={addressOf.submit}>
        {pageNames.submit()}
      </a>
    </header>
  );
  // What arrives later would push down what is shown already.
  if (isLoading) {
    return (
      <>
        {head}
        <Skeleton rows={6} />
      </>
    );
  }
  return (
    <>
      {head}
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {jobs && (
        <Numbers
          jobs={jobs}
          mayHaveMore={mayHaveMore}
          since={last?.at}
          stageOf={stageOf.value}
          requests={requests.value}
        />
      )}
      {jobs?.length === 0 && (
        <Empty title={phrase('noneYet')}>
          {rich('dropWithProgram', {
            drop: <a href={addressOf.submit}>{phrase('dropFolder')}</a>,
          })}
        </Empty>
      )}
      <NeedsAttention
        jobs={jobs ?? []}
        quotas={quotas.value ?? []}
        usedLately={(quota) => sumUsed(usage, quota)}
        since={last?.at ?? new Date(now.getTime() - firstVisitMs).toISOString()}
      />
      <JobsOf title={phrase('activeJobs')} folded={shown} batches={batches} most={mostShown}>
        {(job) => <JobRow job={job} time={<Elapsed job={job} timelines={timelines} />} />}
      </JobsOf>
      <JobsOf title={phrase('endedSince')} folded={endedShown} batches={batches} most={mostEnded}>
        {(job) => <JobRow job={job} />}
      </JobsOf>
      <section aria-labelledby="left-title">
        <h2 id="left-title">{phrase('remainingQuota')}</h2>
        <QuotaCards quotas={quotas.value ?? []} usage={usage} />
      </section>
      {usage && usage.length > 0 && (
        <section aria-labelledby="days-title">
          <h2 id="days-title">{phrase('lastDays')}</h2>
          <UsageChart rows={usage} charging={chargingOf()} />
        </section>
      )}
    </>
  );
}

/** Loads the quotas, and again when jobs have started or ended. */
function useHomeQuotas(active: number | undefined) {
  const quotas = useLive('home quotas', (service, signal) =>
    service.listQuotas({ expand: 'usage' }, { signal }),
  );
  const counted = useRef(active);
  useEffect(() => {
    if (counted.current !== undefined) quotas.refresh();
    counted.current = active;
  }, [active]);
  return quotas;
}

const mostRequests = 100;

/** Counts the requests that wait for an administrator. */
function useOpenRequests() {
  const { administrator } = useSession();
  return useLive('open requests', async (service, signal) => {
    if (!administrator) return 0;
    const open = await service.listAllRequests({ state: 'open', limit: mostRequests }, { signal });
    return open.length;
  });
}

interface JobsOfProps {
  readonly title: string;
  readonly folded: ReturnType<typeof foldBatches>;
  readonly batches: ReturnType<typeof useBatchesById>;
  readonly most: number;
  readonly children: (job: Job) => JSX.Element;
}

function JobsOf({ title, folded: { rows, counts }, batches, most, children }: JobsOfProps) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul class="rows">
        {rows.slice(0, most).map((job) => (
          <li key={job.job_id} data-row>
            {job.batch === undefined ? (
              children(job)
            ) : (
              <ListedBatch job={job} batches={batches} counts={counts} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface NumbersProps {
  readonly jobs: readonly Job[];
  readonly mayHaveMore: { readonly active: boolean; readonly ended: boolean };
  /** The time of the last visit. Undefined on a first visit. */
  readonly since: string | undefined;
  readonly stageOf: StageOf;
  /** The requests that wait for this administrator. */
  readonly requests?: number | undefined;
}

function Numbers(props: NumbersProps) {
  return (
    <ul class="numbers">
      {countByMeaning(props).map(({ count, name, address }) => (
        <li key={name} class="number-of">
          <a href={address}>
            <strong>{count}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Counts `12`, or `1,000+` if there may be more. */
export function countByMeaning({ jobs, mayHaveMore, since, stageOf, requests = 0 }: NumbersProps) {
  const meanings = jobs.map((job) => stageOf(job).meaning);
  const running = meanings.filter((each) => /^(starting|running|finishing)$/.test(each)).length;
  const waiting = meanings.filter((each) => each === 'waiting').length;
  const number = (count: number, more: boolean, name: string, address: string) => ({
    count: `${writeNumber(count)}${more ? '+' : ''}`,
    name,
    address,
  });
  const jobsThat = (state: string) => withQuery(addressOf.jobs, { state });
  const numbers = [
    number(running, mayHaveMore.active, phrase('running'), jobsThat('active')),
    number(waiting, mayHaveMore.active, phrase('waiting'), jobsThat('active')),
  ];
  if (since !== undefined) {
    const { length } = endedSince(jobs, since);
    numbers.push(number(length, mayHaveMore.ended, phrase('endedLately'), jobsThat('ended')));
  }
  if (requests > 0) {
    const name = phrase('openRequests', { count: requests });
    numbers.push(number(requests, requests >= mostRequests, name, adminAddress.requests));
  }
  return numbers;
}
