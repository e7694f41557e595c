import { useMemo } from 'preact/hooks';
import { describeStage } from '#client/src/format/describe-stage.ts';
import type { Job } from '#client/src/index.ts';
import { addressOf, withQuery } from '../address/address-of.ts';
import type { Session } from '../connection/session.ts';
import { useCatalog } from '../connection/use-catalog.ts';
import { JobRow } from '../jobs/job-row.tsx';
import { clock } from '../live/clock.ts';
import { useLive } from '../live/use-live.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { QuotaCard } from '../quotas/quota-card.tsx';
import { sumUsed, useUsage } from '../quotas/use-usage.ts';
import { chooseUrgent } from './choose-urgent.ts';
import { noteVisit } from './note-visit.ts';
import { UsageChart } from './usage-chart.tsx';

const looksBack = 100;

export function HomePage({ session }: { readonly session: Session }) {
  const { service } = session;
  const catalog = useCatalog(session);
  const usage = useUsage(session);
  const since = useMemo(() => noteVisit(new Date()), []);
  const jobs = useLive(
    'home jobs',
    (signal) => service.listJobs({ order: 'desc', limit: looksBack }, { signal }),
    { living: (all) => all.some(({ terminal_stage: ended }) => !ended) },
  );
  const living = jobs.value?.filter(({ terminal_stage: ended }) => !ended) ?? [];
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
      {jobs.error !== undefined && <ProblemNote error={jobs.error} onRetry={jobs.refresh} />}
      {jobs.value ? <Numbers jobs={jobs.value} since={since} /> : <Waiting rows={1} />}
      {jobs.value?.length === 0 && (
        <Empty title="No jobs yet.">
          <a href={addressOf.submit}>Drop a folder</a> with what should run. You see its price
          before anything is submitted.
        </Empty>
      )}
      {jobs.value && <NeedsYou jobs={jobs.value} since={since} />}
      {living.length > 0 && (
        <section aria-labelledby="now-title">
          <h2 id="now-title">Now</h2>
          <ul class="rows">
            {living.slice(0, 8).map((job) => (
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
          <UsageChart rows={usage} />
        </section>
      )}
    </>
  );
}

function Numbers({ jobs, since }: { readonly jobs: readonly Job[]; readonly since: string }) {
  const meanings = jobs.map((job) => describeStage(job).meaning);
  const running = meanings.filter((each) => /^(starting|running|finishing)$/.test(each)).length;
  const waiting = meanings.filter((each) => each === 'waiting').length;
  const ended = jobs.filter(({ end_date: end }) => end !== null && end >= since).length;
  const numbers = [
    { count: running, name: 'running', state: 'living' },
    { count: waiting, name: 'waiting', state: 'living' },
    { count: ended, name: 'ended since your last visit', state: 'ended' },
  ];
  return (
    <ul class="numbers">
      {numbers.map(({ count, name, state }) => (
        <li key={name} class="number-of">
          <a href={withQuery(addressOf.jobs, { state })}>
            <strong>{count}</strong> {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

function NeedsYou({ jobs, since }: { readonly jobs: readonly Job[]; readonly since: string }) {
  const urgent = chooseUrgent(jobs, { since, now: clock.value });
  if (urgent.length === 0) return null;
  return (
    <section aria-labelledby="needs-title">
      <h2 id="needs-title">Worth a look</h2>
      <ul class="rows">
        {urgent.map(({ job }) => (
          <li key={job.job_id} data-row>
            <JobRow job={job} />
          </li>
        ))}
      </ul>
    </section>
  );
}
