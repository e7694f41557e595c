import { dispatchJob } from './dispatch-job.ts';
import { followJobs } from './follow-jobs.ts';
import { findDueJobs, leaveJob, type TakenJob, takeUpJob } from './job-life-store.ts';
import { later, leaseSeconds, type Sweep } from './sweep.ts';

/** How many jobs one sweep takes up of each shard. */
const sweepSize = 250;

/**
 * Takes up every job of a system that is due, and brings each one step on: hands it over, looks
 * after it, or tells the system of a cancel. A sweep that dies leaves its jobs to a later one: each
 * is due again when its lease ends, and nothing was decided that is not written down.
 *
 * Returns how many jobs it took up.
 */
export async function advanceJobs(sweep: Sweep): Promise<number> {
  const { table, system, now } = sweep;
  const until = later(now, leaseSeconds);
  const due = await findDueJobs(table, system.name, now, sweepSize);
  const taken = (await Promise.all(due.map((job) => takeUpJob(table, job, until)))).filter(
    (job) => job !== undefined,
  );
  const cancelled = taken.filter(({ life }) => life.cancelPending);
  const waiting = taken.filter(({ life }) => !life.cancelPending && life.handle === undefined);
  const submitted = taken.filter(({ life }) => !life.cancelPending && life.handle !== undefined);
  for (const job of cancelled) await tellOfCancel(sweep, job);
  for (const job of waiting) await dispatchJob(sweep, job);
  await followJobs(sweep, submitted);
  return taken.length;
}

/** A job whose hand-over may have been lost on its way is looked for before it is given up. */
async function tellOfCancel({ table, connector }: Sweep, { job, life }: TakenJob): Promise<void> {
  const tag = { jobId: job.jobId, owner: job.owner };
  try {
    const handle = life.handle ?? (await connector.findByTag(tag));
    if (handle !== undefined) await connector.cancel({ ...tag, handle });
    await leaveJob(table, job);
  } catch {
    // It is due again when the lease ends, and the system may be back by then.
  }
}
