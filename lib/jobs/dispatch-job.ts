import { JobRefusedError, SystemBusyError } from '../hpc/errors.ts';
import { endJob, JobEndedError } from './end-job.ts';
import type { Job, JobRequest } from './job.ts';
import { readRequest, saveLife, type TakenJob } from './job-life-store.ts';
import { later, type Sweep } from './sweep.ts';

const firstPauseSeconds = 2;
const longestPauseSeconds = 300;

/**
 * Hands a job over, once. From the second try on the system is asked first whether it has the job:
 * the answer to an earlier try may have been lost, or this process may have died before writing it
 * down.
 */
export async function dispatchJob(sweep: Sweep, taken: TakenJob): Promise<void> {
  const { table, connector, now } = sweep;
  const { job, life } = taken;
  try {
    const handle = await handOver(sweep, taken, await readRequest(table, job));
    const dueAt = later(now, connector.pollFloorSeconds);
    await saveLife(table, job, { handle, dueAt });
  } catch (error) {
    if (error instanceof JobRefusedError) return refuseJob(sweep, job, error.message);
    const pause =
      error instanceof SystemBusyError ? error.retryAfterSeconds : pauseAfter(life.attempts);
    await saveLife(table, job, { dueAt: later(now, pause), reason: describe(error) });
  }
}

async function handOver(
  { connector }: Sweep,
  { job, life }: TakenJob,
  request: JobRequest,
): Promise<string> {
  const tag = { jobId: job.jobId, owner: job.owner };
  const found = life.attempts > 1 ? await connector.findByTag(tag) : undefined;
  return found ?? connector.submit({ ...tag, ...request, hours: job.runtime, title: job.title });
}

/** The system will never take it: the job failed, and nothing of its hold was used. */
async function refuseJob({ table, system, now }: Sweep, job: Job, reason: string): Promise<void> {
  const stage = system.stages.failed[0] ?? job.stage;
  await endJob(table, job, { stage, failed: true, endedAt: now, ranSeconds: 0, reason }).catch(
    (error: unknown) => {
      if (!(error instanceof JobEndedError)) throw error;
    },
  );
}

/** Twice as long after each try, and by chance up to that: many jobs must not come back at once. */
export function pauseAfter(attempts: number, random = Math.random): number {
  const longest = Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** (attempts - 1));
  return longest / 2 + (random() * longest) / 2;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : 'The HPC system cannot be reached.';
}
