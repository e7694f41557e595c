import { handOversAtOnce } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import { JobRefusedError, type SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, type Job } from '../../job.ts';
import { isParked, type JobLife } from '../../life/job-life.ts';
import { saveLife } from '../../life/job-life-store.ts';
import { readJobs } from '../../read/read-jobs.ts';
import { type NoteFailure, readLives } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import {
  type ClaimedJob,
  claimJob,
  handOverAlone,
  noteFailedHandOver,
  noteHandedOver,
  pauseFor,
  writeOrder,
} from './hand-over-job.ts';
import { findHold } from './hold-back.ts';

/** As many as there are connections. */
const parallelWrites = 25;

/** A job of a batch on a system that has arrays. */
interface ArrayJob extends ActiveJob {
  readonly array: NonNullable<JobLife['array']>;
}

/**
 * Hands over all due jobs of an array together, given any one of them. Returns how many it handled:
 * none if another process is at it, or if some of the jobs are not due yet. They are claimed one by
 * one, and whoever claims the first one has them all. Otherwise two processes would submit two
 * arrays, and twice as many jobs could run at once.
 */
export async function handOverArray(
  sweep: Sweep,
  member: ActiveJob,
  noteFailure: NoteFailure,
): Promise<number> {
  const now = sweep.now();
  const all = await readArray(sweep, member, noteFailure);
  // Parked jobs will be due together with the others, a moment later.
  if (all.some(({ job, life }) => (!job.terminal && isParked(life)) || isLeased(life, now))) {
    return 0;
  }
  const due = all.filter(({ life }) => isWaiting(life) && life.dueAt && life.dueAt <= now);
  const [first, ...others] = due.filter(({ life }) => life.tryingSince === undefined);
  const cutOff = due.filter(({ life }) => life.tryingSince !== undefined);
  const leader = first && (await claim(sweep, first, noteFailure));
  if (first && !leader) return 0;
  const followers = await mapInParallel(others, parallelWrites, (each) =>
    claim(sweep, each, noteFailure),
  );
  const claimed = [leader, ...followers].filter((each) => each !== undefined);
  if (claimed.length > 0) await handOverClaimed(sweep, all, claimed, noteFailure);
  // A cut-off job may have crashed the process that handed it over, so each is retried alone.
  for (const each of cutOff) {
    const again = sweep.isOver() ? undefined : await claim(sweep, each, noteFailure);
    if (again) await handOverSingly(sweep, all, [again], noteFailure);
  }
  return claimed.length + cutOff.length;
}

interface ClaimedTask extends ClaimedJob {
  readonly array: ArrayJob['array'];
}

async function claim(
  sweep: Sweep,
  each: ArrayJob,
  noteFailure: NoteFailure,
): Promise<ClaimedTask | undefined> {
  try {
    const claimed = await claimJob(sweep, each);
    return claimed && { ...claimed, array: each.array };
  } catch (error) {
    noteFailure(error);
    return undefined;
  }
}

/** Reads all jobs of an array. Its tasks are numbered in the order of the job ids, without gaps. */
async function readArray(
  { table, system }: Sweep,
  { job, life }: ActiveJob,
  noteFailure: NoteFailure,
): Promise<ArrayJob[]> {
  const firstId = job.id - (life.array?.task ?? 0);
  const lastId = firstId + (traitsOf(system).arraySize ?? 1) - 1;
  const jobs = await readJobsBetween(table, job, firstId, lastId);
  const keys = jobs.map((each) => jobLifeKey(accountOf(each), each.jobId));
  const read = await readLives(table, keys, noteFailure);
  return read.flatMap((each) => {
    const { array } = each.life;
    return array?.name === life.array?.name && array ? [{ ...each, array }] : [];
  });
}

async function readJobsBetween(
  table: Table,
  { owner, batch }: Job,
  firstId: number,
  lastId: number,
): Promise<Job[]> {
  const found: Job[] = [];
  let after: number | undefined = firstId - 1;
  while (after !== undefined && after < lastId) {
    const list = { owner, order: 'asc', filter: {} } as const;
    const { jobs, resumeAfter } = await readJobs(table, list, after, lastId - after);
    found.push(...jobs.filter((job) => job.id <= lastId && job.batch?.id === batch?.id));
    after = resumeAfter;
  }
  return found;
}

function isWaiting({ handle, cancelPending }: JobLife): boolean {
  return handle === undefined && !cancelPending;
}

/** True while a process hands the job over, or until it can be sure that none does. */
function isLeased(life: JobLife, now: Date): boolean {
  const { dueAt, tryingSince } = life;
  return isWaiting(life) && tryingSince !== undefined && dueAt !== undefined && dueAt > now;
}

/**
 * Hands claimed jobs over by one call. If the system refuses the array, it may still accept each
 * job alone, and only those at fault fail.
 */
async function handOverClaimed(
  sweep: Sweep,
  all: readonly ArrayJob[],
  claimed: readonly ClaimedTask[],
  noteFailure: NoteFailure,
): Promise<void> {
  const { connector } = sweep;
  const isHeld = claimed.some(({ job }) => findHold(sweep, job));
  if (claimed.length === 1 || !connector.submitArray || isHeld) {
    return handOverSingly(sweep, all, claimed, noteFailure);
  }
  const ordered = await mapInParallel(claimed, parallelWrites, async (each) => {
    const order = await writeOrder(sweep, each).catch(async (error: unknown) => {
      await noteFailedHandOver(sweep, each, error).catch(noteFailure);
    });
    return order ? [{ each, order }] : [];
  });
  const ready = ordered.flat();
  const tasks = ready.map(({ each }) => each);
  const again = tasks.some(({ life }) => life.claims > 1);
  const orders = waitForEarlier(
    ready.map(({ order }) => order),
    all,
  );
  let handles: ReadonlyMap<string, string>;
  try {
    handles = await connector.submitArray(orders, again);
  } catch (error) {
    if (error instanceof JobRefusedError) return handOverSingly(sweep, all, tasks, noteFailure);
    return putOff(sweep, tasks, error, noteFailure);
  }
  // The same moment for all, so that one call checks them together.
  const at = sweep.now();
  await mapInParallel(tasks, parallelWrites, async (each) => {
    const handle = handles.get(each.job.jobId);
    if (handle !== undefined) await noteHandedOver(sweep, each, handle, at).catch(noteFailure);
  });
  const left = tasks.filter(({ job }) => !handles.has(job.jobId));
  await putOff(sweep, left, onlyPart, noteFailure);
}

const onlyPart = new SystemUnavailableError('The array was handed over in part.', {
  said: 'The HPC system accepted only a part of the batch so far.',
});

/** Puts jobs off by the same time, so that they are tried together again. */
async function putOff(
  sweep: Sweep,
  jobs: readonly ClaimedJob[],
  error: unknown,
  noteFailure: NoteFailure,
): Promise<void> {
  const claims = Math.max(1, ...jobs.map(({ life }) => life.claims));
  const pause = pauseFor(error, claims, sweep.connector.listLagSeconds);
  await mapInParallel(jobs, parallelWrites, (each) =>
    noteFailedHandOver(sweep, each, error, pause).catch(noteFailure),
  );
}

/** A limited array begins after jobs of the same array that were handed over before it. */
function waitForEarlier(orders: readonly JobOrder[], all: readonly ArrayJob[]): JobOrder[] {
  const earlier = all.findLast(({ life }) => life.handle !== undefined)?.life.handle;
  return orders.map((order) =>
    earlier !== undefined && order.array?.atOnce !== undefined
      ? { ...order, after: earlier }
      : order,
  );
}

/**
 * Hands jobs over one by one. If only some of them may run at once, they form as many lanes, and
 * each job waits for the one before it in its lane. Once the system accepts no more, the rest is put
 * off without asking.
 */
async function handOverSingly(
  sweep: Sweep,
  all: readonly ArrayJob[],
  claimed: readonly ClaimedTask[],
  noteFailure: NoteFailure,
): Promise<void> {
  const laneOf = ({ task, atOnce }: ArrayJob['array']) =>
    atOnce === undefined ? undefined : task % atOnce;
  const lanes = Map.groupBy(claimed, ({ array }) => laneOf(array) ?? `alone ${array.task}`);
  let busy: SystemBusyError | undefined;
  await mapInParallel([...lanes], handOversAtOnce(sweep.system), async ([lane, jobs]) => {
    const earlier = all.findLast(
      ({ life, array }) => life.handle !== undefined && laneOf(array) === lane,
    );
    let after = earlier?.life.handle;
    for (const each of jobs) {
      try {
        if (sweep.isOver()) await putBack(sweep, each);
        else if (busy) await putOff(sweep, [each], busy, noteFailure);
        else {
          const outcome = await handOverAlone(sweep, each, after);
          after = outcome.handle ?? after;
          busy ??= outcome.busy;
        }
      } catch (error) {
        noteFailure(error);
      }
    }
  });
}

/** Gives up a claim without a hand-over, so that it does not count as cut off. */
function putBack({ table, now }: Sweep, { job, life }: ClaimedJob): Promise<void> {
  return saveLife(table, job, { dueAt: now(), handOvers: life.handOvers });
}
