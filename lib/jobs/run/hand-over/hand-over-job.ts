import { stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
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
import { addHandOver, type HandOver, type JobLife, tagJob } from '../../life/job-life.ts';
import { saveLife } from '../../life/job-life-store.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { beginHandOver, isHopeless, noteCutOff, whyHopeless } from './begin-hand-over.ts';

/**
 * What a process sent before its end may still arrive after it: only after this is a job handed
 * over by another one.
 */
const afterwardsSeconds = 10;

const firstPauseSeconds = 2;
const longestPauseSeconds = 300;

/** As long as a process may have a job: a function that hands jobs over ends after five minutes. */
export const longestLeaseSeconds = 300 + afterwardsSeconds;

/**
 * Hands a job over, once. From the second time on the system is asked first whether it has the
 * job: the answer to an earlier hand-over may have been lost, or that process may have died before
 * writing it down. One that was cut off too often ends here.
 */
export async function handOverJob(sweep: Sweep, waiting: ActiveJob): Promise<void> {
  const { table, connector, now, leftMs } = sweep;
  const { job } = waiting;
  if (isHopeless(waiting.life)) {
    return failJob(sweep, job, whyHopeless, noteCutOff(waiting.life));
  }
  const began = now();
  const until = addSeconds(began, leftMs() / 1000 + afterwardsSeconds);
  const life = await beginHandOver(sweep, waiting, began, until);
  if (!life) return;
  try {
    const handle = await handOver(sweep, job, life);
    const dueAt = addSeconds(now(), connector.pollFloorSeconds);
    // Why earlier tries failed stays with them; it does not explain a job that the system has.
    const handOvers = addHandOver(life, began);
    await saveLife(table, job, { handle, dueAt, handOvers, ...(life.reason && { reason: '' }) });
  } catch (error) {
    if (error instanceof JobRefusedError) {
      const { message } = error;
      return failJob(sweep, job, message, addHandOver(life, began, message));
    }
    const pause =
      error instanceof SystemBusyError ? error.retryAfterSeconds : pauseAfter(life.takeUps);
    logFailedHandOver(job, error);
    const reason = explainFailedHandOver(error);
    const handOvers = addHandOver(life, began, reason);
    await saveLife(table, job, { dueAt: addSeconds(now(), pause), reason, handOvers });
    // The job is tried again either way, and a mistake of ours must not go unnoticed.
    if (!(error instanceof DomainError)) throw error;
  }
}

async function handOver(sweep: Sweep, job: Job, life: JobLife): Promise<string> {
  const { connector } = sweep;
  const found = life.takeUps > 1 ? await connector.findByTag(tagJob(job, life)) : undefined;
  return found ?? connector.submit(await writeOrder(sweep, job, life));
}

/** The system will never take it: the job failed, and nothing of its hold was used. */
async function failJob(
  { table, system, now }: Sweep,
  job: Job,
  reason: string,
  handOvers: readonly HandOver[],
): Promise<void> {
  const stage = stageOfFailure(system.stages);
  const endedAt = now();
  const end = { stage, failed: true, endedAt, ranSeconds: 0, reason, handOvers };
  await endJob(table, job, end, endedAt);
}

/** Twice as long each time, and by chance up to that: many jobs must not come back at once. */
export function pauseAfter(takeUps: number, random = Math.random): number {
  const longest = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (takeUps - 1));
  return longest / 2 + (random() * longest) / 2;
}

/**
 * Tells the owner of a job why it was not handed over: in the system's own words where it has said
 * something. The message of an error is for the log, because it may name hosts and ports of a
 * system, or what went wrong inside of Slipway.
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

/** Where an error of the domain was thrown says nothing that its message does not. */
function logFailedHandOver({ jobId, project: { hpc } }: Job, error: unknown): void {
  const known = error instanceof DomainError;
  const told = known ? { name: error.name, message: error.message } : error;
  logger.warn('hand-over failed', { hpc, jobId, error: told });
}

/**
 * What a job's system is given. Its files travel by addresses that are signed for them alone, or
 * through this process, which holds no more of them than a piece.
 */
async function writeOrder(
  { table, files: { inputs }, addressesOf, now }: Sweep,
  job: Job,
  life: JobLife,
): Promise<JobOrder> {
  const stored = await readRequest(table, job);
  if (!stored) throw new JobNotFoundError();
  const { input, ...request } = stored;
  const { key } = input;
  const addresses = addressesOf(job, now());
  return {
    ...request,
    ...tagJob(job, life),
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
