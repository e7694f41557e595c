import { isBatchId } from '#client/src/format/jobs/write-short-id.ts';
import { type Job, SlipwayProblem, type Timeline } from '#client/src/index.ts';
import { term } from '#client/src/words/terms.ts';
import { addressOf } from '../browser/address.ts';
import { useLive } from '../live/use-live.ts';
import { StageMark } from '../parts/stage-mark.tsx';
import { phrase } from './words.ts';

const nothing: Farther = { earlier: [], later: [], cut: false };

/**
 * Shows the chain of a job as a graph of columns: what it waits for and what follows it, and beside
 * these the jobs farther away. It is made of lists, so that screen readers and keyboards get the same
 * as eyes do.
 */
export function JobChain({ job, timeline }: { readonly job: Job; readonly timeline: Timeline }) {
  const { after = [], awaited_by: then = [] } = timeline;
  const ids = [...after, ...then].map(({ job_id: id }) => id);
  const { value: farther = nothing } = useLive(
    `chain ${job.job_id} ${job.stage} ${ids.join(' ')}`,
    (service, signal) =>
      exploreChain(timeline, async ({ hpc, project_name, job_id }) =>
        service.getTimeline({ hpc, project_name, job_id }, { signal }),
      ),
  );
  if (after.length + then.length === 0) return null;
  return (
    <section aria-labelledby="chain-title">
      <h2 id="chain-title">{phrase('chain')}</h2>
      <div class="chain">
        {farther.earlier.length > 0 && (
          <div>
            <h3>{phrase('earlier')}</h3>
            <ul>
              {farther.earlier.map((awaited) => (
                <li key={awaited.job_id}>
                  <ChainLink {...awaited} />
                  <span class={`stage ${colours[awaited.state]}`}>{term(awaited.state)}</span>
                </li>
              ))}
            </ul>
          </div>
        )}
        {after.length > 0 && (
          <div>
            <h3>
              {job.terminal_stage || !waits(timeline) ? phrase('waitedFor') : phrase('waitsFor')}
            </h3>
            <ul>
              {after.map((awaited) => (
                <li key={awaited.job_id}>
                  <ChainLink {...awaited} />
                  <span class={`stage ${colours[awaited.state]}`}>{term(awaited.state)}</span>
                  <Need {...awaited} />
                </li>
              ))}
            </ul>
          </div>
        )}
        <div class="here">
          <h3>{phrase('thisJob')}</h3>
          <p>
            <span class="title">{nameJob(job)}</span>
            <StageMark job={job} />
          </p>
        </div>
        {then.length > 0 && (
          <div>
            <h3>{phrase('next')}</h3>
            <Successors of={then} />
          </div>
        )}
        {farther.later.length > 0 && (
          <div>
            <h3>{phrase('later')}</h3>
            <Successors of={farther.later} />
          </div>
        )}
      </div>
      {farther.cut && <p class="quiet">{phrase('chainIsLonger')}</p>}
    </section>
  );
}

function Successors({ of }: { readonly of: readonly Successor[] }) {
  return (
    <ul>
      {of.map((next) => (
        <li key={next.job_id}>
          <ChainLink {...next} />
          <StageMark job={{ ...next, project_hpc: next.hpc.toUpperCase() }} />
        </li>
      ))}
    </ul>
  );
}

const colours = {
  active: 'running',
  succeeded: 'done',
  failed: 'failed',
  cancelled: 'cancelled',
  deleted: 'cancelled',
} as const satisfies Record<Awaited['state'], string>;

/** Tells whether a job that is still active has to wait for another. */
export function waits({ after = [], terminal_stage: ended }: Timeline): boolean {
  return !ended && after.some(({ state }) => state === 'active');
}

/** Says what a job needs of the one that it waits for, if it is more or less than a good end. */
function Need({ any_end: anyEnd, gives_input: givesInput }: Awaited) {
  if (!anyEnd && !givesInput) return null;
  const said = anyEnd ? phrase('givesSome') : phrase('givesInput');
  return <small class="quiet">{givesInput ? said : phrase('anyEnd')}</small>;
}

type ChainLinkProps = Pick<Awaited, 'job_id' | 'hpc' | 'project_name' | 'title'>;

function ChainLink(job: ChainLinkProps) {
  const { job_id: id, hpc } = job;
  const place = { ...job, project_hpc: hpc };
  return (
    <>
      <a
        class="title"
        href={isBatchId(id) ? addressOf.batch({ ...place, batch_id: id }) : addressOf.job(place)}
      >
        {nameJob(job)}
      </a>
      <small class="quiet">{phrase('onSystem', { system: job.hpc })}</small>
    </>
  );
}

function nameJob({ title, job_id: id }: Pick<Job, 'title' | 'job_id'>): string {
  return title === '' ? id : title;
}

type Awaited = NonNullable<Timeline['after']>[number];
type Successor = NonNullable<Timeline['awaited_by']>[number];

/** Jobs of a chain that are not next to the job in question. */
interface Farther {
  readonly earlier: readonly Awaited[];
  readonly later: readonly Successor[];
  /** Whether there may be more, because the number of requests is limited. */
  readonly cut: boolean;
}

/** Timelines that are read for one chain. */
const mostRead = 20;

/** Follows a chain in both directions, step by step, from the timeline of one of its jobs. */
export async function exploreChain(
  timeline: Timeline,
  read: (job: Awaited | Successor) => Promise<Timeline>,
  most = mostRead,
): Promise<Farther> {
  let left = most;
  let cut = false;
  const seen = new Set([timeline.job_id]);
  const takeNew = <Job extends { readonly job_id: string }>(jobs: readonly Job[]): Job[] =>
    jobs.filter(({ job_id: id }) => !seen.has(id) && seen.add(id));
  const readAll = async (jobs: readonly (Awaited | Successor)[]): Promise<Timeline[]> => {
    const asked = jobs.slice(0, left);
    cut ||= asked.length < jobs.length;
    left -= asked.length;
    const answers = await Promise.all(asked.map((job) => read(job).catch(skipMissing)));
    return answers.filter((answer) => answer !== undefined);
  };
  const earlier: Awaited[] = [];
  const later: Successor[] = [];
  let before = takeNew(timeline.after ?? []);
  let behind = takeNew(timeline.awaited_by ?? []);
  while (left > 0 && before.length + behind.length > 0) {
    before = takeNew((await readAll(before)).flatMap(({ after = [] }) => after));
    behind = takeNew((await readAll(behind)).flatMap(({ awaited_by: then = [] }) => then));
    earlier.unshift(...before);
    later.push(...behind);
  }
  return { earlier, later, cut: cut || before.length + behind.length > 0 };
}

/** A batch has no timeline, so the chain is shown without what lies behind it. */
function skipMissing(error: unknown): undefined {
  if (error instanceof SlipwayProblem && error.status === 404) return undefined;
  throw error;
}
