import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import {
  type Connector,
  isSystemFault,
  type JobTag,
  type Observation,
} from '#lib/hpc/connector.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { hasWaitedLong, settleByClock, untilWhen } from '../../cancel/cancel-job.ts';
import { settleCancelled } from '../../life/end-job.ts';
import { type JobLife, tagJob } from '../../life/job-life.ts';
import {
  finishCancel,
  finishRemoval,
  postponeCancel,
  requestRemoval,
  saveLife,
} from '../../life/job-life-store.ts';
import { claimJobs, leaseSeconds, type NoteFailure } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { countTime, followJobs, type HandedJob, lookUp } from './follow-jobs.ts';

/**
 * Claims jobs that their system has and checks each of them, or tells the system of a cancel.
 * Returns how many it claimed. If a sweep dies, its jobs are due again when their leases expire,
 * and every decision was written down.
 */
export async function checkJobs(
  sweep: Sweep,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<number> {
  const taken = await claimJobs(sweep, due, noteFailure);
  const known = taken.filter(({ life }) => !isStray(sweep.system, life));
  const cancelled = known.filter(({ life }) => life.cancelPending);
  // Checks come first, while the leases are fresh, so that no other sweep checks the same jobs.
  await followJobs(sweep, known.flatMap(chooseHanded), noteFailure);
  await cancelOnSystem(sweep, cancelled, noteFailure);
  const strays = taken.filter(({ life }) => isStray(sweep.system, life));
  await mapInParallel(strays, parallelRemovals, (each) =>
    attendStray(sweep, each).catch(noteFailure),
  );
  const removed = known.filter(({ life }) => life.removePending && !life.cancelPending);
  await mapInParallel(removed, parallelRemovals, (each) =>
    removeFromSystem(sweep, each).catch(noteFailure),
  );
  return taken.length;
}

const parallelRemovals = 5;

/** Removes a job that its system keeps. If the system is away, the job is due again after its lease. */
async function removeFromSystem({ table, connector }: Sweep, { job, life }: ActiveJob) {
  const tag = tagJob(job, life);
  try {
    const handle = life.handle ?? (await findOnSystem(connector, tag));
    if (handle !== undefined) await connector.remove?.({ ...tag, handle });
    await finishRemoval(table, job);
  } catch (error) {
    if (!isSystemFault(error)) throw error;
  }
}

/** Finds a job whose hand-over got no answer, or was not completed. */
function findOnSystem(connector: Connector, tag: JobTag): Promise<string | undefined> {
  return (connector.findBegun ?? connector.findByTag)(tag);
}

/** Skips a job that was cancelled after its life was read. It shows the next time it is due. */
function chooseHanded({ job, life }: ActiveJob): HandedJob[] {
  const { handle, cancelPending } = life;
  return handle === undefined || cancelPending || job.terminal ? [] : [{ job, life, handle }];
}

/** Tells the system of each cancel, and asks together how long the jobs ran. */
async function cancelOnSystem(
  sweep: Sweep,
  cancelled: readonly ActiveJob[],
  noteFailure: NoteFailure,
): Promise<void> {
  const told: ToldJob[] = [];
  for (const each of cancelled) {
    try {
      told.push(...(await tellSystem(sweep, each)));
    } catch (error) {
      noteFailure(error);
    }
  }
  const ended = told.flatMap(({ handle, ...each }) => (handle ? [{ ...each, handle }] : []));
  for (const batch of splitIntoBatches(ended, sweep.connector.batchSize)) {
    const seen = await lookUp(sweep, batch, noteFailure);
    for (const each of batch) {
      await settleAfterCancel(sweep, each, seen.get(each.job.jobId)).catch(noteFailure);
    }
  }
  for (const each of told.filter(({ handle }) => handle === undefined)) {
    await settleAfterCancel(sweep, each, 'absent').catch(noteFailure);
  }
}

interface ToldJob extends ActiveJob {
  /** Undefined if the system never had the job. */
  readonly handle: string | undefined;
}

/**
 * Tells the system of a cancel. Returns the job if it awaits its settlement. Asks the system for a
 * job without a handle, because the answer to its hand-over may be lost.
 */
async function tellSystem(sweep: Sweep, { job, life }: ActiveJob): Promise<ToldJob[]> {
  const { table, connector, now } = sweep;
  const tag = tagJob(job, life);
  try {
    const handle = life.handle ?? (await findOnSystem(connector, tag));
    if (handle !== undefined) await connector.cancel({ ...tag, handle });
    if (job.awaitsSettlement) return [{ job, life, handle }];
    await finishCancel(table, job);
  } catch (error) {
    if (!isSystemFault(error)) throw error;
    // The job is due again when the lease expires, and the system may be back by then.
    if (job.awaitsSettlement && hasWaitedLong(job, now())) {
      await settleAfterCancel(sweep, { job, life }, undefined);
    }
  }
  return [];
}

/** No process lives longer, so a hand-over that began earlier cannot reach the system any more. */
const longestHandOverSeconds = 15 * 60;

/** Systems give a job some time to end by itself. A longer delay is explained to the owner. */
const lateSeconds = 60;

/** The system's answer about a cancelled job; `absent` if it never had the job. */
type CancelAnswer = Observation | 'absent' | undefined;

/**
 * Settles a cancelled job with the time that its system counted. The job is checked until it has
 * ended there, for at most a day. After that, the time until the cancel is charged.
 */
async function settleAfterCancel(
  sweep: Sweep,
  { job, life }: ActiveJob,
  answer: CancelAnswer,
): Promise<void> {
  const { table, connector, now } = sweep;
  const at = now();
  const cancelled = { job, life };
  const seen = answer === 'absent' && isUnderWay(life, at) ? undefined : answer;
  if (seen === 'absent') return settleByClock(table, cancelled, at, { why: '', isTold: true });
  if (seen?.state === 'ended') return settleAsCounted(sweep, cancelled, seen);
  if (seen?.state === 'unknown') {
    const why = life.runningSince ? explainForgotten(life) : neverSeen;
    return settleByClock(table, cancelled, at, { why, isTold: true });
  }
  if (hasWaitedLong(job, at)) return settleByClock(table, cancelled, at);
  await postponeCancel(table, job, addSeconds(at, connector.pollFloorSeconds));
}

function explainForgotten(life: JobLife): string {
  return `The HPC system no longer knows how long it ran, so it is charged until ${untilWhen(life)}.`;
}

/** Slurm keeps no record of a task of an array that was cancelled before it started. */
const neverSeen =
  'The HPC system no longer has it, and it was never seen running, so nothing is charged.';

function isUnderWay({ tryingSince }: JobLife, now: Date): boolean {
  return (
    tryingSince !== undefined &&
    now.getTime() - tryingSince.getTime() < longestHandOverSeconds * 1000
  );
}

async function settleAsCounted(
  sweep: Sweep,
  { job, life }: ActiveJob,
  observation: Extract<Observation, { state: 'ended' }>,
): Promise<void> {
  const { table, now } = sweep;
  const at = now();
  const cancelledAt = job.endedAt ?? at;
  const endedAt = observation.endedAt ?? cancelledAt;
  // Its owner ended it, whatever its system says about the signal.
  const time = await countTime(sweep, life, { ...observation, endedAt, isLost: false });
  const late = Math.round((endedAt.getTime() - cancelledAt.getTime()) / 1000);
  const reason = [
    life.reason ?? '',
    late < lateSeconds ? '' : `It ran on for ${late} seconds, until the HPC system could be told.`,
  ];
  const { runningSince } = life;
  const end = {
    stage: job.stage,
    endedAt,
    ...time,
    runningSince,
    measured: observation.measured,
    reason: reason.join(' ').trim(),
  };
  await settleCancelled(table, job, end, { now: at, isTold: true });
  // A job that never ran has left nothing that anybody could want to see.
  if (life.systemKeeps && time.ranSeconds === 0) await requestRemoval(table, job, at);
}

/**
 * True for a job that was handed over while its system was of another kind. The system must not be
 * asked for it: it does not know the job, or it has another one with the same handle.
 */
function isStray({ connector }: HpcSystem, { handle, kind = connector.kind }: JobLife) {
  return handle !== undefined && kind !== connector.kind;
}

/**
 * Tells the owner of a stray job why nobody follows it, and lets it wait, because the catalog may
 * have changed by mistake. A cancel ends it without its system.
 */
async function attendStray(sweep: Sweep, { job, life }: ActiveJob): Promise<void> {
  const { table, system, connector, now } = sweep;
  const at = now();
  if (job.awaitsSettlement) await settleByClock(table, { job, life }, at, { why, isTold: true });
  else if (life.cancelPending) await finishCancel(table, job);
  else if (!job.terminal) {
    await saveLife(table, job, {
      dueAt: addSeconds(at, leaseSeconds(connector)),
      unknownSince: life.unknownSince ?? at,
      reason:
        `It was handed over when ${system.name} was of the kind ${life.kind}. It is of the kind ` +
        `${system.connector.kind} now and knows nothing of the job. The job goes on once the ` +
        'catalog has its former kind again. Otherwise cancel it.',
    });
  }
  if (life.removePending) await finishRemoval(table, job);
}

const why = 'Its system is of another kind now, so it is charged until that was noticed.';
