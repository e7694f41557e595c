import type { DueKey } from '#lib/table/reads/due-index.ts';
import { finishCancel } from '../life/job-life-store.ts';
import { dispatchJob } from './dispatch-job.ts';
import { listDueJobs } from './due-jobs.ts';
import { followJobs, type HandedJob } from './follow-jobs.ts';
import { type Sweep, type TakenJob, takeUpJobs } from './take-up-jobs.ts';

/** How many jobs one sweep takes up of each shard. */
const sweepSize = 250;

/** Brings every job of a system that is due one step on. Returns how many it took up. */
export async function advanceJobs(sweep: Sweep): Promise<number> {
  return advanceDue(sweep, await listDueJobs(sweep.table, sweep.system.name, sweep.now, sweepSize));
}

/**
 * Takes jobs up, and brings each one step on: hands it over, looks after it, or tells the system
 * of a cancel. A sweep that dies leaves its jobs to another one: each is due again when its lease
 * ends, and nothing was decided that is not written down.
 */
export async function advanceDue(sweep: Sweep, due: readonly DueKey[]): Promise<number> {
  const { taken, failures } = await takeUpJobs(sweep, due);
  await advanceTaken(sweep, taken);
  if (failures.length > 0) {
    throw new AggregateError(failures, 'Some of the due jobs could not be taken up.');
  }
  return taken.length;
}

async function advanceTaken(sweep: Sweep, taken: readonly TakenJob[]): Promise<void> {
  const cancelled = taken.filter(({ life }) => life.cancelPending);
  // One that ended after its life was read, by a cancel, shows so the next time it is due.
  const living = taken.filter(({ job, life }) => !life.cancelPending && !job.terminal);
  const [handed, waiting] = partByHandle(living);
  // Looks first, while the leases are fresh: another sweep must not look at the same jobs again.
  await followJobs(sweep, handed);
  for (const job of cancelled) await cancelOnSystem(sweep, job);
  for (const job of waiting) await dispatchJob(sweep, job);
}

/** Those that their system has, and those that wait to be handed over. */
function partByHandle(taken: readonly TakenJob[]): [HandedJob[], TakenJob[]] {
  const handed: HandedJob[] = [];
  const waiting: TakenJob[] = [];
  for (const one of taken) {
    const { handle } = one.life;
    if (handle === undefined) waiting.push(one);
    else handed.push({ ...one, handle });
  }
  return [handed, waiting];
}

/** A job whose hand-over may have been lost on its way is looked for before it is given up. */
async function cancelOnSystem({ table, connector }: Sweep, { job, life }: TakenJob): Promise<void> {
  const tag = { jobId: job.jobId, owner: job.owner };
  try {
    const handle = life.handle ?? (await connector.findByTag(tag));
    if (handle !== undefined) await connector.cancel({ ...tag, handle });
    await finishCancel(table, job);
  } catch {
    // It is due again when the lease ends, and the system may be back by then.
  }
}
