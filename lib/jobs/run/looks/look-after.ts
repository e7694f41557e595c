import { isSystemFault } from '#lib/hpc/errors.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import { finishCancel } from '../../life/job-life-store.ts';
import { tagJob } from '../../life/tag-job.ts';
import type { NoteFailure } from '../sweep/read-lives.ts';
import type { LivingJob, Sweep } from '../sweep/sweep.ts';
import { takeUpJobs } from '../sweep/take-up-jobs.ts';
import { followJobs, type HandedJob } from './follow-jobs.ts';

/**
 * Takes jobs up that their system has, and brings each one step on: looks after it, or tells the
 * system of a cancel. Returns how many it took up. A sweep that dies leaves its jobs to another
 * one: each is due again when its lease ends, and nothing was decided that is not written down.
 */
export async function lookAfter(
  sweep: Sweep,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<number> {
  const taken = await takeUpJobs(sweep, due, noteFailure);
  const cancelled = taken.filter(({ life }) => life.cancelPending);
  // Looks first, while the leases are fresh: another sweep must not look at the same jobs again.
  await followJobs(sweep, taken.flatMap(chooseHanded), noteFailure);
  for (const job of cancelled) await cancelOnSystem(sweep, job, noteFailure);
  return taken.length;
}

/** One that ended after its life was read, by a cancel, shows so the next time it is due. */
function chooseHanded({ job, life }: LivingJob): HandedJob[] {
  const { handle, cancelPending } = life;
  return handle === undefined || cancelPending || job.terminal ? [] : [{ job, life, handle }];
}

/** A job whose hand-over may have been lost on its way is looked for before it is given up. */
async function cancelOnSystem(
  { table, connector }: Sweep,
  { job, life }: LivingJob,
  noteFailure: NoteFailure,
): Promise<void> {
  const tag = tagJob(job, life);
  try {
    const handle = life.handle ?? (await connector.findByTag(tag));
    if (handle !== undefined) await connector.cancel({ ...tag, handle });
    await finishCancel(table, job);
  } catch (error) {
    // It is due again when the lease ends, and the system may be back by then.
    if (!isSystemFault(error)) noteFailure(error);
  }
}
