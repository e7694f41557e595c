import { isSystemFault } from '#lib/hpc/connector.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import { hasWaitedLong } from '../../cancel/cancel-job.ts';
import { finishCancel } from '../../life/job-life-store.ts';
import { tagJob } from '../../life/tag-job.ts';
import type { NoteFailure } from '../sweep/read-lives.ts';
import type { LivingJob, Sweep } from '../sweep/sweep.ts';
import { takeUpJobs } from '../sweep/take-up-jobs.ts';
import { followJobs, type HandedJob } from './follow-jobs.ts';
import { type CancelAnswer, settleAfterCancel } from './settle-after-cancel.ts';

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
  for (const job of cancelled) await cancelOnSystem(sweep, job).catch(noteFailure);
  return taken.length;
}

/** One that ended after its life was read, by a cancel, shows so the next time it is due. */
function chooseHanded({ job, life }: LivingJob): HandedJob[] {
  const { handle, cancelPending } = life;
  return handle === undefined || cancelPending || job.terminal ? [] : [{ job, life, handle }];
}

/** A job whose hand-over may have been lost on its way is looked for before it is given up. */
async function cancelOnSystem(sweep: Sweep, { job, life }: LivingJob): Promise<void> {
  const { table, connector } = sweep;
  const tag = tagJob(job, life);
  let answer: CancelAnswer;
  try {
    const handle = life.handle ?? (await connector.findByTag(tag));
    if (handle !== undefined) await connector.cancel({ ...tag, handle });
    if (!job.awaitsSettlement) return await finishCancel(table, job);
    const asked = handle === undefined ? undefined : { ...tag, handle };
    answer = asked ? (await connector.lookUp([asked])).get(job.jobId) : 'absent';
  } catch (error) {
    if (!isSystemFault(error)) throw error;
    // It is due again when the lease ends, and the system may be back by then.
    if (!job.awaitsSettlement || !hasWaitedLong(job, sweep.now())) return;
  }
  await settleAfterCancel(sweep, { job, life }, answer);
}
