import type { StageOf } from '#client/src/format/describe-stage.ts';
import type { Job, System, SystemReport, Timeline } from '#client/src/index.ts';
import { adminAddress, withQuery } from '../browser/routes.ts';
import type { Session } from '../connection/session.ts';
import { stageOf, useCatalog } from '../connection/use-catalog.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { Waiting } from '../parts/empty.tsx';
import { Moment } from '../parts/moment.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';

export function SystemsPage({ session }: { readonly session: Session }) {
  const catalog = useCatalog(session);
  const { value, error, refresh } = useLive(
    'state of systems',
    (signal) => session.service.reportSystems({}, { signal }),
    { living: () => true },
  );
  return (
    <>
      <h1>Systems</h1>
      {error !== undefined && <ProblemNote error={error} onRetry={refresh} />}
      {(!catalog || !value) && error === undefined && <Waiting rows={3} />}
      <div class="cards">
        {value &&
          catalog?.systems.map((system) => (
            <SystemCard
              key={system.name}
              session={session}
              system={system}
              report={value.find(({ name }) => name === system.name)}
            />
          ))}
      </div>
    </>
  );
}

interface SystemCardProps {
  readonly session: Session;
  readonly system: System;
  readonly report: SystemReport | undefined;
}

const words = {
  up: { sign: '✔', state: 'approved', means: 'It answers.' },
  down: {
    sign: '✘',
    state: 'declined',
    means: 'It does not answer. Jobs wait here and are handed over when it is back.',
  },
  unknown: {
    sign: '?',
    state: 'open',
    means: 'Nobody has looked for three minutes: there was nothing to look for.',
  },
} as const;

function SystemCard({ session, system, report }: SystemCardProps) {
  const { name } = system;
  const { status = 'unknown', breaker, failing_since: since, last_error: last } = report ?? {};
  const { sign, state, means } = words[status];
  const { value } = useLoad(session, name);
  return (
    <article class="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span class={`state ${state}`}>
          <span aria-hidden="true">{sign}</span> {status}
        </span>
      </header>
      <p class="quiet">{system.description}</p>
      <p>
        {means}
        {since && (
          <>
            {' '}
            It has failed since <Moment at={since} />, {breaker?.failures} calls in a row.
          </>
        )}
      </p>
      {breaker?.open_until && (
        <p>
          Its breaker is open: it is not called until <Moment at={breaker.open_until} />.
        </p>
      )}
      {value && (
        <p>
          <a href={withQuery(adminAddress.jobs, { state: 'living', hpc: name })}>
            {value.waiting} waiting, {value.running} running
          </a>
          {value.more && ` (of the ${mostCounted.toLocaleString('en-US')} oldest)`}
        </p>
      )}
      {value?.longest && (
        <p>
          Waiting longest:{' '}
          <a href={adminAddress.job(value.longest)}>
            {value.longest.title === '' ? 'a job without a title' : value.longest.title}
          </a>
          , since <Moment at={value.longest.init_date} />
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

interface LoadOfSystem extends Load {
  /** Of the job that has waited longest: why, and what the system said when it was handed over. */
  readonly timeline: Timeline | undefined;
  /** Whether more live than were counted. */
  readonly more: boolean;
}

/** So many living jobs are counted at most. */
const mostCounted = 1000;

function useLoad({ service }: Session, hpc: string): Live<LoadOfSystem> {
  return useLive(
    `load of ${hpc}`,
    async (signal) => {
      const living = await service.listAllJobs(
        { hpc, terminal: false, limit: mostCounted },
        { signal },
      );
      const load = sumUpSystem(living, stageOf.value);
      const { longest } = load;
      const timeline =
        longest &&
        (await service.getAnyTimeline(
          { hpc, project_name: longest.project_name, job_id: longest.job_id },
          { signal },
        ));
      return { ...load, timeline, more: living.length >= mostCounted };
    },
    { living: () => true },
  );
}

interface Load {
  readonly waiting: number;
  /** Everything else that lives. */
  readonly running: number;
  /** Of those that wait, the one that has waited longest. */
  readonly longest: Job | undefined;
}

/** What lives on a system, of its living jobs with the oldest first. */
export function sumUpSystem(living: readonly Job[], stageOf: StageOf): Load {
  const waiting = living.filter((job) => stageOf(job).meaning === 'waiting');
  return { waiting: waiting.length, running: living.length - waiting.length, longest: waiting[0] };
}
