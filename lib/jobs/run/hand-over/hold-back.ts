import { findObstacle } from '#lib/systems/judge-maintenance.ts';
import type { MaintenanceWindow } from '#lib/systems/maintenance.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { changeIf } from '#lib/table/writes.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { accountOf, type Job } from '../../job.ts';
import type { JobLife } from '../../life/job-life.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';

/** A paused system is looked at again after this long, even if nobody resumes it. */
const pauseSeconds = 3600;

/** Returns the maintenance that keeps a job from being handed over now. */
export function findHold({ windows, now }: Sweep, job: Job): MaintenanceWindow | undefined {
  return findObstacle(windows, job.runtime * 3600, now());
}

/**
 * True for a job that waits for a maintenance. One that was claimed before may be on its system
 * already, so it is looked for there first.
 */
export function mustHold(sweep: Sweep, { job, life }: ActiveJob): boolean {
  return isNew(life) && findHold(sweep, job) !== undefined;
}

function isNew({ handle, claims, cancelPending, removePending }: JobLife): boolean {
  return handle === undefined && claims === 0 && !cancelPending && !removePending;
}

/**
 * Makes a job due again at the end of the maintenance that it waits for. Changes nothing if
 * somebody else claimed or cancelled the job meanwhile, or if it runs.
 */
export async function holdBack(sweep: Sweep, { job, life }: ActiveJob): Promise<void> {
  const hold = findHold(sweep, job);
  if (!hold || !life.dueAt) return;
  const until = hold.until ?? addSeconds(sweep.now(), pauseSeconds);
  await changeIf(sweep.table, jobLifeKey(accountOf(job), job.jobId), {
    set: { due_at: until.toISOString(), held: true, trying_since: undefined },
    expect: { due_at: life.dueAt.toISOString(), handle: undefined, cancel_pending: undefined },
  });
}
