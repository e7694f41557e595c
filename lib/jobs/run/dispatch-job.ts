import { stageOfFailure } from '#lib/catalog/hpc-system.ts';
import { JobRefusedError, SystemBusyError } from '#lib/hpc/errors.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Job } from '../job.ts';
import { endJob } from '../life/end-job.ts';
import { addHandOver } from '../life/job-life.ts';
import { saveLife } from '../life/job-life-store.ts';
import { explainFailedHandOver, logFailedHandOver } from './explain-failed-hand-over.ts';
import { extendLease, type Sweep, type TakenJob } from './take-up-jobs.ts';
import { writeOrder } from './write-order.ts';

/** No function lives longer than five minutes: after this, whoever hands it over is gone. */
const handOverSeconds = 360;

const firstPauseSeconds = 2;
const longestPauseSeconds = 300;

/**
 * Hands a job over, once. From the second take-up on the system is asked first whether it has the
 * job: the answer to an earlier hand-over may have been lost, or this process may have died before writing it
 * down.
 */
export async function dispatchJob(sweep: Sweep, taken: TakenJob): Promise<void> {
  const { table, connector, now } = sweep;
  const { job, life } = taken;
  if (!(await extendLease(table, taken, addSeconds(now, handOverSeconds)))) return;
  try {
    const handle = await handOver(sweep, taken);
    const dueAt = addSeconds(now, connector.pollFloorSeconds);
    await saveLife(table, job, { handle, dueAt, handOvers: addHandOver(life, now) });
  } catch (error) {
    if (error instanceof JobRefusedError) return refuseJob(sweep, job, error.message);
    const pause =
      error instanceof SystemBusyError ? error.retryAfterSeconds : pauseAfter(life.takeUps);
    logFailedHandOver(job, error);
    const reason = explainFailedHandOver(error);
    const handOvers = addHandOver(life, now, reason);
    await saveLife(table, job, { dueAt: addSeconds(now, pause), reason, handOvers });
  }
}

async function handOver(sweep: Sweep, { job, life }: TakenJob): Promise<string> {
  const { connector } = sweep;
  const tag = { jobId: job.jobId, owner: job.owner };
  const found = life.takeUps > 1 ? await connector.findByTag(tag) : undefined;
  return found ?? connector.submit(await writeOrder(sweep, job));
}

/** The system will never take it: the job failed, and nothing of its hold was used. */
async function refuseJob({ table, system, now }: Sweep, job: Job, reason: string): Promise<void> {
  const stage = stageOfFailure(system.stages);
  await endJob(table, job, { stage, failed: true, endedAt: now, ranSeconds: 0, reason }, now);
}

/** Twice as long each time, and by chance up to that: many jobs must not come back at once. */
export function pauseAfter(takeUps: number, random = Math.random): number {
  const longest = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (takeUps - 1));
  return longest / 2 + (random() * longest) / 2;
}
