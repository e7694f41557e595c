import { describeSystem } from '#client/src/format/describe-place.ts';
import type { StageOf } from '#client/src/format/describe-stage.ts';
import type { Job, System, SystemReport, Timeline } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../browser/address.ts';
import { catalog, stageOf } from '../live/catalog.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { SystemHistory } from './system-history.tsx';

export function SystemsPage() {
  const { value, error, refresh } = useLive(
    'state of systems',
    (service, signal) => service.reportSystems({ history: 30 }, { signal }),
    { active: () => true },
  );
  return (
    <>
      <h1>Systems</h1>
      <Loading value={catalog.value && value} error={error} refresh={refresh} />
      <h2 class="said">State of each system</h2>
      <div class="cards">
        {value &&
          catalog.value?.systems.map((system) => (
            <SystemCard
              key={system.name}
              system={system}
              report={value.find(({ name }) => name === system.name)}
            />
          ))}
      </div>
    </>
  );
}

interface SystemCardProps {
  readonly system: System;
  readonly report: SystemReport | undefined;
}

const words = {
  up: { sign: '✔', state: 'approved', means: 'The system responds.' },
  down: {
    sign: '✘',
    state: 'declined',
    means: 'The system does not respond. Jobs wait here and are handed over when it is back.',
  },
  unknown: {
    sign: '?',
    state: 'open',
    means: 'Not checked for three minutes, because no job needed it.',
  },
} as const;

const breakerWords = {
  closed: 'Breaker closed: calls go through.',
  open: 'Breaker open: calls are paused.',
  trial: 'Breaker on trial: the next health check decides whether calls go on.',
} as const;

function SystemCard({ system, report }: SystemCardProps) {
  const { name } = system;
  const { status = 'unknown', breaker, failing_since: since, last_error: last } = report ?? {};
  const { sign, state, means } = words[status];
  const { value } = useLoad(name);
  return (
    <article class="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span class={`state ${state}`}>
          <span aria-hidden="true">{sign}</span> {status}
        </span>
      </header>
      <p class="quiet">{describeSystem(system)}</p>
      <p>
        {means}
        {since && (
          <>
            {' '}
            The last {breaker?.failures} calls failed, the first of them <Moment at={since} />.
          </>
        )}
      </p>
      {report?.last_contact && (
        <p class="quiet">
          Last contact <Moment at={report.last_contact} />.
        </p>
      )}
      {breaker && (
        <p class={breaker.state === 'closed' ? 'quiet' : 'warning'}>
          {breakerWords[breaker.state]}
          {breaker.state === 'open' && breaker.open_until && (
            <>
              {' '}
              The next one is due <Moment at={breaker.open_until} />.
            </>
          )}
        </p>
      )}
      {report?.history && <SystemHistory days={report.history} />}
      {report?.spending && <p>{describeSpending(report.spending)}</p>}
      {value && (
        <p>
          <a href={withQuery(adminAddress.jobs, { state: 'active', hpc: name })}>
            {value.waiting} waiting, {value.running} running
          </a>
          {value.more && ` (of the ${mostCounted.toLocaleString('en-US')} oldest)`}
        </p>
      )}
      {value?.longest && (
        <p>
          Waiting longest:{' '}
          <a href={adminAddress.job(value.longest)}>
            {value.longest.title === '' ? 'an untitled job' : value.longest.title}
          </a>
          , submitted <Moment at={value.longest.init_date} />
          {value.timeline?.reason && `: ${value.timeline.reason}`}
        </p>
      )}
      {last && (
        <p class={since ? 'warning' : 'quiet'}>
          Last error <Moment at={last.at} />: {last.reason}
        </p>
      )}
    </article>
  );
}

type Spending = NonNullable<SystemReport['spending']>;

/** Says what the month costs on AWS Batch, and whether jobs are still accepted. */
export function describeSpending(spending: Spending): string {
  const { estimate, used, held, budget } = spending;
  const parts = `${writeDollars(used)} for ended jobs, up to ${writeDollars(held)} for active ones`;
  if (budget === null) {
    return `AWS Batch costs about ${writeDollars(estimate)} this month: ${parts}. There is no budget.`;
  }
  const costs = `AWS Batch costs about ${writeDollars(estimate)} of the ${writeDollars(budget)} for this month: ${parts}.`;
  if (estimate < budget) return costs;
  const day = new Date(spending.opens_at).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return `${costs} Submissions are paused until ${day}, or until jobs end before their time.`;
}

function writeDollars(dollars: number): string {
  return `${dollars.toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USD`;
}

interface LoadOfSystem extends Load {
  /** The timeline of the job that has waited longest, which says why. */
  readonly timeline: Timeline | undefined;
  /** Whether there are more active jobs than were counted. */
  readonly more: boolean;
}

const mostCounted = 1000;

function useLoad(hpc: string): Live<LoadOfSystem> {
  return useLive(
    `load of ${hpc}`,
    async (service, signal) => {
      const active = await service.listAllJobs(
        { hpc, terminal: false, limit: mostCounted },
        { signal },
      );
      const load = sumUpSystem(active, stageOf.value);
      const { longest } = load;
      const timeline =
        longest &&
        (await service.getAnyTimeline(
          { hpc, project_name: longest.project_name, job_id: longest.job_id },
          { signal },
        ));
      return { ...load, timeline, more: active.length >= mostCounted };
    },
    { active: () => true },
  );
}

interface Load {
  readonly waiting: number;
  /** All other active jobs. */
  readonly running: number;
  /** The job that has waited longest. */
  readonly longest: Job | undefined;
}

/** Counts the active jobs of a system, given with the oldest first. */
export function sumUpSystem(active: readonly Job[], stageOf: StageOf): Load {
  const waiting = active.filter((job) => stageOf(job).meaning === 'waiting');
  return { waiting: waiting.length, running: active.length - waiting.length, longest: waiting[0] };
}
