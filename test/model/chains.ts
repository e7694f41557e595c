import type { BatchId, JobId, UserId } from '#lib/catalog/identifiers.ts';
import type { Waits } from '#lib/jobs/chains/waits.ts';
import {
  type Model,
  type ModelBatch,
  type ModelChain,
  type ModelJob,
  type ModelWait,
  pendingOf,
} from './accounts.ts';

type End = 'active' | 'succeeded' | 'failed' | 'cancelled' | 'deleted';

/** The clock checks each waiting job this often. */
export const checkSeconds = 300;

/** Written out once more: each id once, and the stricter wish wins. */
function listWaits({ after, afterAny, input }: Waits): ModelWait[] {
  const strict = new Set([...(input ? [input.from] : []), ...after]);
  const all = new Set([...strict, ...afterAny]);
  return [...all].map((id) => ({
    id,
    anyEnd: !strict.has(id),
    givesInput: id === input?.from,
  }));
}

/** The name of the error that a submission must get for what it waits for, if any. */
export function refuseWaits(model: Model, user: UserId, wanted: Waits): string | undefined {
  const waits = listWaits(wanted);
  const own = [
    ...model.jobs.filter((job) => job.user === user).map(({ jobId }) => jobId),
    ...model.batches.filter((batch) => batch.user === user).map(({ id }) => id),
  ];
  if (!waits.every(({ id }) => own.some((each) => each === id))) return 'AwaitedNotFoundError';
  return judge(model, waits) === 'broken' ? 'AwaitedFailedError' : undefined;
}

/** A job that has nothing to wait for but its input is due at once. */
export function beginChain(model: Model, wanted: Waits, now: Date): ModelChain {
  const waits = listWaits(wanted);
  const isOpen = judge(model, waits) === 'open';
  const atOnce = wanted.input ? now : undefined;
  const until = isOpen ? after(now, checkSeconds) : atOnce;
  return { waits, until, tries: 0, leased: false, fell: false };
}

export function after(now: Date, seconds: number): Date {
  return new Date(now.getTime() + seconds * 1000);
}

export function isWaiting(job: ModelJob): job is ModelJob & { chain: { until: Date } } {
  return job.chain?.until !== undefined;
}

export function endWait({ chain }: ModelJob, fate: 'released' | 'fallen'): void {
  if (!chain) throw new Error('It waits for nothing.');
  chain.until = undefined;
  chain.fell = fate === 'fallen';
}

/** Whether a wait goes on, is over, or can never end well. */
export function judge(model: Model, waits: readonly ModelWait[]): 'open' | 'met' | 'broken' {
  const ends = waits.map(({ id, anyEnd }) => ({ anyEnd, end: endOf(model, id) }));
  const isBroken = ends.some(
    ({ anyEnd, end }) => !anyEnd && end !== 'active' && end !== 'succeeded',
  );
  if (isBroken) return 'broken';
  return ends.some(({ end }) => end === 'active') ? 'open' : 'met';
}

function endOf(model: Model, id: JobId | BatchId): End {
  const job = model.jobs.find(({ jobId }) => jobId === id);
  if (job) return endOfJob(job);
  const batch = model.batches.find((each) => each.id === id);
  if (!batch) throw new Error(`${id} is not known.`);
  return endOfBatch(model, batch);
}

function endOfJob({ state, failed = false }: ModelJob): End {
  if (state === 'living') return 'active';
  if (state === 'cancelling') return 'cancelled';
  if (state === 'ended') return failed ? 'failed' : 'succeeded';
  return state;
}

/** A batch has ended well if all of its jobs have. */
function endOfBatch({ jobs }: Model, batch: ModelBatch): End {
  const own = jobs.filter((job) => job.batch === batch.id);
  if (pendingOf(batch) > 0 || own.some(({ state }) => state === 'living')) return 'active';
  if (batch.discard === 'delete') return 'deleted';
  if (own.some(({ failed }) => failed)) return 'failed';
  const isCancelled = own.some(({ state }) => state === 'cancelled' || state === 'cancelling');
  return isCancelled || batch.dropped > 0 ? 'cancelled' : 'succeeded';
}

/** The jobs that wait for a job or batch, or did. */
export function successorsOf({ jobs }: Model, id: JobId | BatchId): ModelJob[] {
  return jobs.filter(({ chain }) => chain?.waits.some((wait) => wait.id === id));
}

/** All that others wait for, or did, with its owner. */
export function listAwaited({
  jobs,
}: Model): { readonly user: UserId; readonly id: ModelWait['id'] }[] {
  const all = jobs.flatMap(({ user, chain }) =>
    (chain?.waits ?? []).map(({ id }) => ({ user, id })),
  );
  return [...new Map(all.map((each) => [each.id, each])).values()];
}
