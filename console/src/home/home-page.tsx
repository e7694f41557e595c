import { useEffect, useMemo } from 'preact/hooks';
import type { StageOf } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, withQuery } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { chargingOf, stageOf, useCatalog } from '../connection/use-catalog.ts';
import { JobRow } from '../jobs/job-rows.tsx';
import { Elapsed, useTimelines } from '../jobs/progress.tsx';
import { useLive } from '../live/use-live.ts';
import { Empty, Waiting } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { QuotaCard } from '../quotas/quota-card.tsx';
import { sumUsed, useUsage } from '../quotas/use-usage.ts';
import { WorthALook } from './needs-attention.tsx';
import { UsageChart } from './usage-chart.tsx';
import { endedSince, noteVisit, useHomeJobs } from './use-home-jobs.ts';

/** On a first visit, failures of the last day are shown: the command may have been used before. */
const firstVisitMs = 24 * 60 * 60 * 1000;
const mostShown = 8;
const mostEnded = 5;

export function HomePage({ session }: { readonly session: Session }) {
  const { service } = session;
  const catalog = useCatalog(session);
  const usage = useUsage(session);
  const { last, now } = useMemo(() => {
    const begun = new Date();
    return { last: noteVisit(begun), now: begun };
  }, []);
  const { jobs, mayHaveMore, error, refresh } = useHomeJobs(service, last, now.toISOString());
  const living = jobs?.filter(({ terminal_stage: ended }) => !ended) ?? [];
  // Failed jobs are shown above, under "Worth a look".
  const ended = last ? endedSince(jobs ?? [], last.at).filter(({ failed }) => !failed) : [];
  const { timelines, follow } = useTimelines(session);
  useEffect(() => follow(living.slice(0, mostShown)), [jobs]);
  const quotas = useLive(`home quotas ${living.length}`, (signal) =>
    service.listQuotas({ expand: 'usage' }, { signal }),
  );
  return (
    <>
      <header class="page-head">
        <h1>Home</h1>
        <a class="button main" href={addressOf.submit}>
          Submit a job
        </a>
      </header>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {jobs ? (
        <Numbers jobs={jobs} mayHaveMore={mayHaveMore} since={last?.at} stageOf={stageOf.value} />
      ) : (
        <Waiting rows={1} />
      )}
      {jobs?.length === 0 && (
        <Empty title="No jobs yet.">
          <a href={addressOf.submit}>Drop a folder</a> with what should run. You see its price
          before anything is submitted.
        </Empty>
      )}
      <WorthALook
        jobs={jobs ?? []}
        quotas={quotas.value ?? []}
        usedLately={(quota) => sumUsed(usage, quota)}
        since={last?.at ?? new Date(now.getTime() - firstVisitMs).toISOString()}
      />
      {living.length > 0 && (
        <section aria-labelledby="now-title">
          <h2 id="now-title">Now</h2>
          <ul class="rows">
            {living.slice(0, mostShown).map((job) => (
              <li key={job.job_id} data-row>
                <JobRow job={job} time={<Elapsed job={job} timelines={timelines} />} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {ended.length > 0 && (
        <section aria-labelledby="ended-title">
          <h2 id="ended-title">Ended since your last visit</h2>
          <ul class="rows">
            {ended.slice(0, mostEnded).map((job) => (
              <li key={job.job_id} data-row>
                <JobRow job={job} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="left-title">
        <h2 id="left-title">What is left</h2>
        {!quotas.value && quotas.error === undefined && <Waiting />}
        <div class="cards">
          {quotas.value?.map((quota) => (
            <QuotaCard
              key={quota.id}
              quota={quota}
              catalog={catalog}
              usedLately={sumUsed(usage, quota)}
            />
          ))}
        </div>
      </section>
      {usage && usage.length > 0 && (
        <section aria-labelledby="days-title">
          <h2 id="days-title">The last thirty days</h2>
          <UsageChart rows={usage} charging={chargingOf(catalog)} />
        </section>
      )}
    </>
  );
}

interface NumbersProps {
  readonly jobs: readonly Job[];
  readonly mayHaveMore: { readonly living: boolean; readonly ended: boolean };
  /** When somebody was here before; undefined on a first visit. */
  readonly since: string | undefined;
  readonly stageOf: StageOf;
}

function Numbers(props: NumbersProps) {
  return (
    <ul class="numbers">
      {countJobs(props).map(({ count, name, state }) => (
        <li key={name} class="number-of">
          <a href={withQuery(addressOf.jobs, { state })}>
            <strong>{count}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** `12`, or `1,000+` where there may be more. */
export function countJobs({ jobs, mayHaveMore, since, stageOf }: NumbersProps) {
  const meanings = jobs.map((job) => stageOf(job).meaning);
  const running = meanings.filter((each) => /^(starting|running|finishing)$/.test(each)).length;
  const waiting = meanings.filter((each) => each === 'waiting').length;
  const write = (count: number, more: boolean) =>
    `${count.toLocaleString('en-US')}${more ? '+' : ''}`;
  return [
    { count: write(running, mayHaveMore.living), name: 'running', state: 'living' },
    { count: write(waiting, mayHaveMore.living), name: 'waiting', state: 'living' },
    ...(since === undefined
      ? []
      : [
          {
            count: write(endedSince(jobs, since).length, mayHaveMore.ended),
            name: 'ended since your last visit',
            state: 'ended',
          },
        ]),
  ];
}
