import { expect } from 'vitest';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { endJob, settleCancelled } from '#lib/jobs/life/end-job.ts';
import { isParked } from '#lib/jobs/life/job-life.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { beginHandOver } from '#lib/jobs/run/hand-over/begin-hand-over.ts';
import { userId } from '#test/fixtures/names.ts';
import type { ModelJob } from './accounts.ts';
import { endWait, isWaiting } from './chains.ts';
import { CrashError } from './faults.ts';
import type { StepOf } from './history.ts';
import { placeOfProject } from './places.ts';
import { pick, type Scene, type Touched } from './scene.ts';

export async function end(scene: Scene, step: StepOf<'end'>): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (!job || (await awaitsTurn(scene, job))) return undefined;
  const ranSeconds = step.share * job.hours * 3600;
  const run = () => complete(scene, job, ranSeconds, step.failed);
  const living = job.state === 'living';
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) {
    // Another sweep takes the job up, and finds it ended or ends it.
    const again = await scene.attempt(null, run);
    expect(['ended', 'too late']).toContain(again);
  } else expect(outcome).toBe(living ? 'ended' : 'too late');
  if (living) {
    scene.model.settle(job, ranSeconds, 'ended');
    job.failed = step.failed;
  }
  return touchedBy(job);
}

export async function cancel(scene: Scene, step: StepOf<'cancel'>): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (!job) return undefined;
  const run = () => remove(scene, job, job.user);
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) {
    const stage = await findStage(scene, job);
    // A repeated cancel does no second thing; of an ended job it is the first one.
    if (job.state === 'living' && stage !== ownStages.canceled) await run();
    if (job.state === 'ended' && stage !== ownStages.deleted) await run();
  } else if (outcome instanceof Error) throw outcome;
  applyCancel(scene, job);
  return touchedBy(job);
}

/** A system that counts is waited for, and for a day at most. */
export function applyCancel(scene: Scene, job: ModelJob): void {
  const { model, now } = scene;
  if (isWaiting(job)) endWait(job, 'fallen');
  if (job.state === 'ended') job.state = 'deleted';
  else if (job.state === 'living' && job.counted) {
    job.state = 'cancelling';
    job.cancelledAt = now;
  } else if (job.state === 'living') model.settle(job, 0, 'cancelled');
  else if (job.state === 'cancelling' && now.getTime() - job.cancelledAt!.getTime() >= aDayMs) {
    model.settle(job, 0, 'cancelled');
  }
}

const aDayMs = 24 * 3600 * 1000;

/** To a system that can say after a cancel how long a job ran. */
export async function handOver(
  scene: Scene,
  step: StepOf<'hand over'>,
): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (job?.state !== 'living' || (await awaitsTurn(scene, job))) return undefined;
  const record = scene.recordOf(job);
  const life = await findLife(scene.table, accountOf(record), job.jobId);
  const [system] = scene.catalog.systems;
  const counting = { ...system!, connector: slurm };
  const sweep = { table: scene.table, system: counting };
  const begun = await beginHandOver(sweep, { job: record, life }, scene.now, scene.now);
  if (begun) job.counted = true;
  return touchedBy(job);
}

/** Counts the time of cancelled jobs, and its jobs send their results. */
export const slurm = {
  kind: 'slurm',
  baseUrl: 'https://slurm.example.org',
  partition: 'batch',
  workDirectory: '/scratch',
} as const;

/** The system says how long a job ran that was cancelled: once it counts, and then no more. */
export async function hear(
  scene: Scene,
  step: StepOf<'hear of a cancelled'>,
): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (!job) return undefined;
  const ranSeconds = step.share * job.hours * 3600;
  const record = { ...scene.recordOf(job), stage: ownStages.canceled, terminal: true };
  const end = { stage: ownStages.canceled, endedAt: scene.now, ranSeconds, reason: '' };
  const run = () => settleCancelled(scene.table, record, end, { now: scene.now, isTold: true });
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof CrashError) await run();
  else if (outcome instanceof Error) throw outcome;
  if (job.state === 'cancelling') scene.model.settle(job, ranSeconds, 'cancelled');
  return touchedBy(job);
}

export async function cancelForeign(
  scene: Scene,
  step: StepOf<'cancel another user’s'>,
): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (!job) return undefined;
  const stranger = scene.nameOf(job.user === scene.nameOf(userId('1')) ? '22' : '1');
  const outcome = await scene.attempt(null, () => remove(scene, job, stranger));
  expect(outcome).toMatchObject({ name: 'JobNotFoundError' });
  return touchedBy(job);
}

/** One of the two wins, and the account is settled by it alone. */
export async function race(
  scene: Scene,
  step: StepOf<'end and cancel at once'>,
): Promise<Touched | undefined> {
  const job = pick(scene.model.jobs, step.job);
  if (job?.state !== 'living' || (await awaitsTurn(scene, job))) return undefined;
  const ranSeconds = step.share * job.hours * 3600;
  const [ended] = await Promise.allSettled([
    complete(scene, job, ranSeconds, false),
    remove(scene, job, job.user),
  ]);
  const stage = await findStage(scene, job);
  if (ended.status === 'rejected') throw ended.reason;
  if (ended.value === 'ended') scene.model.settle(job, ranSeconds, 'ended');
  else applyCancel(scene, job);
  if (stage === ownStages.deleted) job.state = 'deleted';
  return touchedBy(job);
}

/** A job that waits for others, or for its turn in its batch, is on no system, so it cannot end. */
async function awaitsTurn(scene: Scene, job: ModelJob): Promise<boolean> {
  if (isWaiting(job)) return true;
  if (job.state !== 'living') return false;
  return isParked(await findLife(scene.table, accountOf(scene.recordOf(job)), job.jobId));
}

function complete(scene: Scene, job: ModelJob, ranSeconds: number, failed: boolean) {
  const outcome = failed ? 'failed' : 'succeeded';
  const done = { stage: 'DONE', outcome, endedAt: scene.now, ranSeconds } as const;
  return endJob(scene.table, scene.recordOf(job), done, scene.now);
}

function remove(scene: Scene, job: ModelJob, caller: UserId): Promise<Job> {
  const place = { ...accountOf(scene.recordOf(job)), user: caller };
  return deleteJob(scene.table, place, job.jobId, scene.now);
}

async function findStage(scene: Scene, job: ModelJob): Promise<string> {
  const { stage } = await findJob(scene.table, accountOf(scene.recordOf(job)), job.jobId);
  return stage;
}

function touchedBy({ user, project }: ModelJob): Touched {
  return { user, places: [placeOfProject(project)] };
}
