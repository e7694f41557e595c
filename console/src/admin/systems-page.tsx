import type { StageOf } from '#client/src/format/jobs/describe-stage.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import { describeSystem } from '#client/src/format/systems/describe-place.ts';
import type { Job, System, SystemReport, Timeline } from '#client/src/index.ts';
import { currentLanguage } from '#client/src/words/language.ts';
import { term } from '#client/src/words/terms.ts';
import { adminAddress, withQuery } from '../browser/address.ts';
import { pageNames } from '../browser/page-names.ts';
import { catalog, stageOf } from '../live/catalog.ts';
import { type Live, useLive } from '../live/use-live.ts';
import { Loading } from '../parts/loading.tsx';
import { Moment } from '../parts/moment.tsx';
import { MaintenanceSection } from './maintenance-section.tsx';
import { SystemHistory } from './system-history.tsx';
import { phrase, rich } from './words.ts';

export function SystemsPage() {
  const { value, error, refresh } = useLive(
    'state of systems',
    (service, signal) => service.reportSystems({ history: 30 }, { signal }),
    { active: () => true },
  );
  return (
    <>
      <h1>{pageNames.systems()}</h1>
      <Loading value={catalog.value && value} error={error} refresh={refresh} />
      <h2 class="said">{phrase('stateOfEach')}</h2>
      <div class="cards wide">
        {value &&
          catalog.value?.systems.map((system) => (
            <SystemCard
              key={system.name}
              system={system}
              report={value.find(({ name }) => name === system.name)}
              onChanged={refresh}
            />
          ))}
      </div>
    </>
  );
}

interface SystemCardProps {
  readonly system: System;
  readonly report: SystemReport | undefined;
  readonly onChanged: () => void;
}

const words = {
  up: { sign: '✔', state: 'approved', means: () => phrase('responds') },
  down: { sign: '✘', state: 'declined', means: () => phrase('doesNotRespond') },
  closed: { sign: '–', state: 'open', means: () => phrase('takesNoJobs') },
  unknown: { sign: '?', state: 'open', means: () => phrase('notCheckedLately') },
} as const;

const breakerWords = {
  closed: () => phrase('breakerClosed'),
  open: () => phrase('breakerOpen'),
  trial: () => phrase('breakerOnTrial'),
} as const;

function SystemCard({ system, report, onChanged }: SystemCardProps) {
  const { name } = system;
  const { status = 'unknown', breaker, failing_since: since, last_error: last } = report ?? {};
  const { sign, state, means } = words[status];
  const { value } = useLoad(name);
  return (
    <article class="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
        <span class={`state ${state}`}>
          <span aria-hidden="true">{sign}</span> {term(status)}
        </span>
      </header>
      <p class="quiet">{describeSystem(system)}</p>
      <p>
        {means()}{' '}
        {since && rich('callsFailed', { calls: breaker?.failures, when: <Moment at={since} /> })}
      </p>
      {report?.last_contact && (
        <p class="quiet">{rich('lastContact', { when: <Moment at={report.last_contact} /> })}</p>
      )}
      {breaker && (
        <p class={breaker.state === 'closed' ? 'quiet' : 'warning'}>
          {breakerWords[breaker.state]()}{' '}
          {breaker.state === 'open' &&
            breaker.open_until &&
            rich('nextCallIsDue', { when: <Moment at={breaker.open_until} /> })}
        </p>
      )}
      <MaintenanceSection hpc={name} windows={report?.maintenance ?? []} onChanged={onChanged} />
      {report?.history && <SystemHistory days={report.history} />}
      {report?.spending && <p>{describeSpending(report.spending)}</p>}
      {value && <LoadNote hpc={name} load={value} />}
      {value?.longest && (
        <LongestNote
          longest={value.longest}
          reason={value.timeline?.reason && tell(value.timeline.reason)}
        />
      )}
      {last && (
        <p class={since ? 'warning' : 'quiet'}>
          {rich('lastError', { when: <Moment at={last.at} />, reason: tell(last.reason) })}
        </p>
      )}
    </article>
  );
}

interface LoadNoteProps {
  readonly hpc: string;
  readonly load: LoadOfSystem;
}

function LoadNote({ hpc, load: { waiting, running, more } }: LoadNoteProps) {
  const load = (
    <a href={withQuery(adminAddress.jobs, { state: 'active', hpc })}>
      {phrase('load', { waiting, running })}
    </a>
  );
  return <p>{more ? rich('loadOfOldest', { load, count: mostCounted }) : load}</p>;
}

interface LongestNoteProps {
  readonly longest: Job;
  readonly reason: string | null | undefined;
}

function LongestNote({ longest, reason }: LongestNoteProps) {
  const waits = {
    job: (
      <a href={adminAddress.job(longest)}>
        {longest.title === '' ? phrase('untitledJob') : longest.title}
      </a>
    ),
    when: <Moment at={longest.init_date} />,
  };
  return (
    <p>{reason ? rich('waitingBecause', { ...waits, reason }) : rich('waitingLongest', waits)}</p>
  );
}

type Spending = NonNullable<SystemReport['spending']>;

/** Says what the month costs on AWS Batch, and whether jobs are still accepted. */
export function describeSpending(spending: Spending): string {
  const { estimate, budget } = spending;
  const spent = {
    estimate: writeDollars(estimate),
    used: writeDollars(spending.used),
    held: writeDollars(spending.held),
  };
  if (budget === null) return phrase('costs', spent);
  const costs = phrase('costsOfBudget', { ...spent, budget: writeDollars(budget) });
  if (estimate < budget) return costs;
  const day = new Date(spending.opens_at).toLocaleDateString(currentLanguage().days, {
    day: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  });
  return `${costs} ${phrase('submissionsPaused', { day })}`;
}

function writeDollars(dollars: number): string {
  const amount = dollars.toLocaleString(currentLanguage().digits, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  return `${amount} USD`;
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
