import type { Observation } from '#lib/hpc/connector.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { hasWaitedLong, settleByClock } from '../../cancel/cancel-job.ts';
import { settleCancelled } from '../../life/end-job.ts';
import type { JobLife } from '../../life/job-life.ts';
import { postponeCancel } from '../../life/job-life-store.ts';
import type { LivingJob, Sweep } from '../sweep/sweep.ts';
import { countRun } from './follow-jobs.ts';

/** A hand-over that has not ended may still reach the system: no process lives longer than this. */
const longestHandOverSeconds = 15 * 60;

/** Worth a sentence: the system gives a job some time to end by itself. */
const lateSeconds = 60;

/** What the system says of a job that was cancelled; `absent`: it never had it. */
export type CancelAnswer = Observation | 'absent' | undefined;

/**
 * Settles a job that was cancelled with the time that its system has counted. The job is looked at
 * again until it has ended there, or for a day. Then the time until the cancel is charged.
 */
export async function settleAfterCancel(
  sweep: Sweep,
  { job, life }: LivingJob,
  answer: CancelAnswer,
): Promise<void> {
  const { table, connector, now } = sweep;
  const at = now();
  const cancelled = { job, life };
  const seen = answer === 'absent' && isUnderWay(life, at) ? undefined : answer;
  if (seen === 'absent') return settleByClock(table, cancelled, at, { why: '', isTold: true });
  if (seen?.state === 'ended') return settleAsCounted(sweep, cancelled, seen);
  if (seen?.state === 'unknown') {
    return settleByClock(table, cancelled, at, { why: forgotten, isTold: true });
  }
  if (hasWaitedLong(job, at)) return settleByClock(table, cancelled, at);
  await postponeCancel(table, job, addSeconds(at, connector.pollFloorSeconds));
}

const forgotten =
  'The HPC system no longer knows how long it ran, so it is charged until the cancel.';

function isUnderWay({ tryingSince }: JobLife, now: Date): boolean {
  return (
    tryingSince !== undefined &&
    now.getTime() - tryingSince.getTime() < longestHandOverSeconds * 1000
  );
}

async function settleAsCounted(
  { table, now }: Sweep,
  { job, life }: LivingJob,
  observation: Extract<Observation, { state: 'ended' }>,
): Promise<void> {
  const at = now();
  const cancelledAt = job.endedAt ?? at;
  const endedAt = observation.endedAt ?? cancelledAt;
  const run = await countRun(table, life, { ...observation, endedAt }, at);
  const late = Math.round((endedAt.getTime() - cancelledAt.getTime()) / 1000);
  const reason = [
    life.reason ?? '',
    late < lateSeconds ? '' : `It ran on for ${late} seconds, until the HPC system could be told.`,
  ];
  const { runningSince } = life;
  const end = {
    stage: job.stage,
    failed: false,
    endedAt,
    ...run,
    runningSince,
    reason: reason.join(' ').trim(),
  };
  await settleCancelled(table, job, end, { now: at, isTold: true });
}
