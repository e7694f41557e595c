import { environmentOf } from '#lib/catalog/datasets.ts';
import { stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { isSystemFault, type JobOrder } from '#lib/hpc/connector.ts';
import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '#lib/hpc/errors.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { JobNotFoundError } from '../../errors.ts';
import type { Job } from '../../job.ts';
import { readRequest } from '../../job-request.ts';
import { endJob } from '../../life/end-job.ts';
import { addHandOver, type HandOver, tagJob } from '../../life/job-life.ts';
import { saveHandle, saveUnlessRunning } from '../../life/job-life-store.ts';
import { describeTransfers } from '../../passes/addressed-files.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { beginHandOver, isHopeless, noteCutOff, whyHopeless } from './begin-hand-over.ts';
import { findHold, holdBack } from './hold-back.ts';

/**
 * Requests of a process may arrive after it has ended, so another process waits this long before it
 * hands over the same job.
 */
const afterwardsSeconds = 10;

const firstPauseSeconds = 2;
const longestPauseSeconds = 300;

/** The longest lease for a hand-over. A function that hands jobs over ends after five minutes. */
export const longestLeaseSeconds = 300 + afterwardsSeconds;

/** A job that this process has claimed for its hand-over. */
export interface ClaimedJob extends ActiveJob {
  readonly began: Date;
}

/**
 * Hands a job over, once. From the second claim on, the system is first asked whether it has the
 * job: the answer to an earlier hand-over may be lost, or its process may have died before writing
 * it down. A job that was cut off too often fails here.
 */
export async function handOverJob(sweep: Sweep, waiting: ActiveJob): Promise<void> {
  const claimed = await claimJob(sweep, waiting);
  if (claimed) await handOverAlone(sweep, claimed);
}

/** Returns undefined if somebody else was first, or if the job was cut off too often. */
export async function claimJob(
  sweep: Sweep,
  { job, life }: ActiveJob,
): Promise<ClaimedJob | undefined> {
  if (isHopeless(life)) {
    await failJob(sweep, job, whyHopeless, noteCutOff(life));
    return undefined;
  }
  const began = sweep.now();
  const afterwards = Math.max(afterwardsSeconds, sweep.connector.listLagSeconds ?? 0);
  const until = addSeconds(began, sweep.leftMs() / 1000 + afterwards);
  const begun = await beginHandOver(sweep, { job, life }, began, until);
  return begun && { job, life: begun, began };
}

/** How a hand-over ended: with a handle, with a system that accepts no more jobs now, or otherwise. */
export interface HandOverOutcome {
  readonly handle?: string;
  readonly busy?: SystemBusyError;
}

/** Hands over a claimed job. `after` is the handle of a job that must end first. */
export async function handOverAlone(
  sweep: Sweep,
  claimed: ClaimedJob,
  after?: string,
): Promise<HandOverOutcome> {
  const { connector } = sweep;
  const { job, life } = claimed;
  try {
    // A hand-over of several calls looks for the job itself, to continue it.
    const mustAsk = life.claims > 1 && !connector.findBegun;
    const found = mustAsk ? await connector.findByTag(tagJob(job, life)) : undefined;
    if (found === undefined && findHold(sweep, job)) {
      await holdBack(sweep, claimed);
      return {};
    }
    const submit = async () =>
      connector.submit({
        ...(await writeOrder(sweep, claimed)),
        ...(life.claims === 1 && { isFirst: true }),
        ...(after && { after }),
      });
    const handle = found ?? (await submit());
    await noteHandedOver(sweep, claimed, handle);
    return { handle };
  } catch (error) {
    await noteFailedHandOver(sweep, claimed, error);
    return error instanceof SystemBusyError ? { busy: error } : {};
  }
}

/**
 * Notes that the system has a job. If another run of the job was first, which an earlier hand-over
 * had started without an answer, that run stays and this one is ended.
 */
export async function noteHandedOver(
  { table, connector, now }: Sweep,
  { job, life, began }: ClaimedJob,
  handle: string,
  at = now(),
): Promise<void> {
  const dueAt = addSeconds(at, connector.pollFloorSeconds);
  // Earlier hand-overs keep their reasons, which do not explain a job that the system has.
  const handOvers = addHandOver(life, began);
  const change = { handle, dueAt, handOvers, ...(life.reason && { reason: '' }) };
  const other = await saveHandle(table, job, change);
  if (other === undefined) return;
  logger.warn('another run of the job was first', { jobId: job.jobId, handle, other });
  try {
    await connector.cancel({ ...tagJob(job, life), handle });
  } catch (error) {
    // A run that is not the job's own gets no script, so it ends by itself.
    if (!isSystemFault(error)) throw error;
  }
}

/** Fails a refused job, and puts any other off. Throws the error if it is a bug of ours. */
export async function noteFailedHandOver(
  sweep: Sweep,
  { job, life, began }: ClaimedJob,
  error: unknown,
  pause = pauseFor(error, life.claims, sweep.connector.listLagSeconds),
): Promise<void> {
  if (error instanceof JobRefusedError) {
    const { message } = error;
    return failJob(sweep, job, message, addHandOver(life, began, message));
  }
  logFailedHandOver(job, error);
  const reason = explainFailedHandOver(error);
  const handOvers = addHandOver(life, began, reason);
  const dueAt = addSeconds(sweep.now(), pause);
  await saveUnlessRunning(sweep.table, job, { dueAt, reason, handOvers });
  // The job is retried either way, but a bug of ours must not go unnoticed.
  if (!(error instanceof DomainError)) throw error;
}

/**
 * Returns the seconds until a job is tried again. After a lost answer, that is not before the lists
 * of the system are sure to have the job.
 */
export function pauseFor(error: unknown, claims: number, listLagSeconds = 0): number {
  if (error instanceof SystemBusyError) return error.retryAfterSeconds;
  return Math.max(pauseAfter(claims), listLagSeconds);
}

/**
 * Fails a job that is not handed over again. Nothing of its hold was used. A run whose hand-over got
 * no answer may have asked for its script meanwhile: then the job runs and does not fail.
 */
async function failJob(
  { table, system, now }: Sweep,
  job: Job,
  reason: string,
  handOvers: readonly HandOver[],
): Promise<void> {
  const stage = stageOfFailure(system.stages);
  const endedAt = now();
  const end = { stage, outcome: 'failed', endedAt, ranSeconds: 0, reason, handOvers } as const;
  await endJob(table, job, { ...end, onlyWhile: 'without a run' }, endedAt);
}

/** Doubles the longest pause each time and adds jitter, so that many jobs do not retry at once. */
export function pauseAfter(claims: number, random = Math.random): number {
  const longest = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (claims - 1));
  return longest / 2 + (random() * longest) / 2;
}

/**
 * Explains to a job's owner why the hand-over failed, in the system's own words if it gave any. The
 * error's message is only for the log, because it may name hosts and ports of a system, or a bug
 * inside Slipway.
 */
function explainFailedHandOver(error: unknown): string {
  if (error instanceof TransferTooSlowError) {
    return 'The input did not reach the HPC system in time. It will be sent again.';
  }
  if (error instanceof SystemUnavailableError) {
    return `${error.said ?? 'The HPC system did not answer.'} It will be tried again.`;
  }
  if (error instanceof SystemBusyError) {
    return `${error.said ?? 'The HPC system accepts no more jobs right now.'} It will be tried again.`;
  }
  if (error instanceof CredentialsRefusedError) {
    return 'The HPC system does not accept the credentials of this service.';
  }
  return 'The job could not be handed over. It will be tried again.';
}

/** Logs domain errors without their stack, which says nothing that the message does not. */
function logFailedHandOver({ jobId, project: { hpc } }: Job, error: unknown): void {
  const known = error instanceof DomainError;
  const told = known ? { name: error.name, message: error.message } : error;
  logger.warn('hand-over failed', { hpc, jobId, error: told });
}

/**
 * Describes a job to its system. The system fetches the files from URLs signed for this job, or
 * this process streams them piece by piece.
 */
export async function writeOrder(
  { table, files: { inputs }, system, addressesOf, now }: Sweep,
  { job, life }: ActiveJob,
): Promise<JobOrder> {
  const stored = await readRequest(table, job);
  if (!stored) throw new JobNotFoundError();
  const { input, fetches, sends, ...request } = stored;
  const { key } = input;
  const addresses = addressesOf(job, now());
  const { array } = life;
  return {
    ...request,
    environment: environmentOf(system, job.project.name, stored.environment),
    ...describeTransfers(
      system,
      { fetches: life.serviceFetches ? undefined : fetches, sends },
      addresses,
    ),
    ...tagJob(job, life),
    ...(traitsOf(system).fetchesScript && {
      scriptAddress: addresses.script,
      ...(array && { array: { ...array, scriptAddress: addresses.array } }),
    }),
    project: job.project.name,
    hours: job.runtime,
    title: job.title,
    resultsAddress: addresses.results,
    outputAddress: addresses.output,
    ...(key !== undefined && {
      input: {
        fileName: input.fileName,
        address: addresses.input,
        open: () => inputs.open(key),
      },
    }),
  };
}
