import { addSeconds } from '#lib/time/add-seconds.ts';
import type { JobRun, Observation } from '../connector.ts';
import { lostEnds } from '../script/explain-batch-end.ts';
import { explainImage } from '../script/explain-exit.ts';
import { patienceSeconds, scriptExits } from '../script/script-terms.ts';
import type { UnicoreSite } from './describe-job.ts';
import { explainEnd, explainMessage, findExitCode, isAborted } from './explain-end.ts';
import { type BatchRecord, countSeconds, type NotedRun } from './job-runs.ts';
import type { UnicoreJob } from './read-answer.ts';

/** Everything that is known about an ended job, and where its files may still be. */
export interface EndedJob {
  readonly job: UnicoreJob;
  readonly handle: string;
  readonly runs: readonly NotedRun[];
  readonly batch: BatchRecord | undefined;
}

const living = new Set(['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT']);

export function hasEnded({ status }: UnicoreJob): boolean {
  return status === 'SUCCESSFUL' || status === 'FAILED';
}

/** Returns undefined for UNDEFINED, UNKNOWN and new words. */
export function observeLiving(job: UnicoreJob): Observation | undefined {
  if (!living.has(job.status)) return undefined;
  const reason = explainMessage(job);
  return { state: 'living', stage: job.status, ...(reason !== '' && { reason }) };
}

/** Slurm's words for a job that has not ended there. */
const unfinished = new Set(['RUNNING', 'COMPLETING', 'SUSPENDED', 'STOPPED', 'SIGNALING']);

export function observeEnd(
  { job, handle, runs, batch }: EndedJob,
  { movesOwnFiles = false }: UnicoreSite,
  now: Date,
): Observation {
  // UNICORE calls a job aborted as soon as it has told the batch system, which takes its time.
  if (isAborted(job) && batch && unfinished.has(batch.state)) {
    return { state: 'living', stage: 'STAGINGOUT' };
  }
  const failed = job.status === 'FAILED';
  const run = runs.at(-1);
  const { isNoted, ...times } = countTimes(job, run, batch, now);
  const isLost = batch !== undefined && lostEnds.has(batch.state);
  return {
    state: 'ended',
    stage: job.status,
    failed,
    ...(failed && { reason: explainEnd(job, run, batch) }),
    ...(isLost && { isLost }),
    ...(failed && explainImage(findExitCode(job, run))),
    ...(failed && movesOwnFiles && tellTransfers(handle, run, findExitCode(job, run), isNoted)),
    ...times,
    ...(run && run.number > 1 && { run: run.number }),
    ...(runs.length > 1 && { earlierRuns: describeEarlier(runs) }),
  };
}

/** Counts the seconds of the last run, and tells when it ended. */
function countTimes(
  job: UnicoreJob,
  run: NotedRun | undefined,
  batch: BatchRecord | undefined,
  now: Date,
) {
  const told = findTotalEnd(job);
  const { seconds, isNoted } = countSeconds({
    noted: run,
    batchSeconds: batch?.seconds,
    mainSeconds: readSeconds(job.consumedTime.main) ?? (hasNeverRun(job) ? 0 : undefined),
    until: told ?? now,
  });
  const endedAt = findEnd(run, isNoted ? undefined : seconds) ?? told;
  return {
    isNoted,
    ...(seconds !== undefined && { usedSeconds: seconds }),
    ...(endedAt && { endedAt }),
    // Of a noted run only the command counts, so it starts where the command did.
    ...(endedAt && seconds !== undefined && run && { startedAt: addSeconds(endedAt, -seconds) }),
  };
}

/** True if UNICORE never gave the job to its batch system. */
export function hasNeverRun({ batchSystemID }: UnicoreJob): boolean {
  return batchSystemID === 'N/A';
}

/** A run with a figure of the system ended so long after it began; otherwise its note tells. */
function findEnd(run: NotedRun | undefined, seconds: number | undefined): Date | undefined {
  if (!run) return undefined;
  if (seconds !== undefined) return new Date((run.began + seconds) * 1000);
  return run.end && new Date(run.end.at * 1000);
}

/** Tells what may have become of the files that a failed run moved itself. */
function tellTransfers(
  handle: string,
  run: NotedRun | undefined,
  code: number | undefined,
  isNoted: boolean,
): Pick<Extract<Observation, { state: 'ended' }>, 'leftIn' | 'patienceSeconds'> {
  const { inputNotFetched, resultsNotSent, resultsTooLarge } = scriptExits;
  const isUnsent = code === resultsNotSent || code === resultsTooLarge;
  const isVain = code === resultsNotSent || code === inputNotFetched;
  return {
    ...(run && (!run.end || isUnsent) && { leftIn: `UNICORE's job ${handle}` }),
    // The seconds of a command are without its transfers.
    ...(isVain && !isNoted && { patienceSeconds }),
  };
}

/**
 * Describes the runs before the last one. The script notes the end of a run that somebody put back
 * into the queue. If it could not, the system lost the run.
 */
export function describeEarlier(runs: readonly NotedRun[]): JobRun[] {
  return runs.slice(0, -1).map(({ number, began, seconds, end }, at) => {
    const next = runs[at + 1]?.began ?? began;
    const startedAt = new Date(began * 1000);
    if (end) {
      const endedAt = new Date(end.at * 1000);
      const counted = Math.max(1, seconds);
      return { number, startedAt, endedAt, seconds: counted, isLost: false, reason: requeued };
    }
    const most = Math.max(1, seconds + next - began);
    return { number, startedAt, seconds: most, isLost: true, reason: lost };
  });
}

const requeued = 'It was put back into the queue, by itself or by an administrator of the system.';
const lost = 'The HPC system ended it without notice and started the job again.';

/** UNICORE reports no time of the end, so we add the consumed time to the submission. */
function findTotalEnd({ submissionTime, consumedTime }: UnicoreJob): Date | undefined {
  const begin = parseDate(submissionTime);
  const total = readSeconds(consumedTime.total);
  return begin && total !== undefined ? addSeconds(begin, total) : undefined;
}

/** Reads whole seconds as text, or "N/A". */
function readSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** Parses `2024-10-17T12:00:00+0200`, whose offset lacks the colon that JavaScript wants. */
export function parseDate(text: string): Date | undefined {
  const date = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
