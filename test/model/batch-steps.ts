import { expect } from 'vitest';
import type { BatchAcceptance } from '#lib/batches/accept-batch.ts';
import { attendBatch } from '#lib/batches/attend-batch.ts';
import type { Batch } from '#lib/batches/batch.ts';
import { findBatch, listBatches } from '#lib/batches/batch-store.ts';
import { discardBatch } from '#lib/batches/cancel-batch.ts';
import { repeatFailed } from '#lib/batches/repeat-failed.ts';
import { submitBatch } from '#lib/batches/submit-batch.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { accountOf, type Job } from '#lib/jobs/job.ts';
import { isParked } from '#lib/jobs/life/job-life.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { readJobsAt } from '#lib/jobs/read-batch-jobs.ts';
import { batchKey } from '#lib/table/keys.ts';
import {
  type Amount,
  type ModelBatch,
  type ModelJob,
  maxBatchJobs,
  pendingOf,
} from './accounts.ts';
import { isCrash } from './faults.ts';
import type { StepOf } from './history.ts';
import { applyCancel } from './job-steps.ts';
import { type Place, placeOfProject, projectAt, welcomeOf } from './places.ts';
import { pick, type Scene, type Touched } from './scene.ts';
import { buildSubmission, costOf, holdOf } from './submissions.ts';
import { learnWelcome } from './submit-steps.ts';

export async function submitMany(
  scene: Scene,
  step: StepOf<'submit a batch'>,
): Promise<Touched | undefined> {
  const user = scene.nameOf(step.user);
  const place = projectAt(step.project);
  const { project } = place;
  const submission = {
    ...buildSubmission(user, place, step),
    project: { ...project, maxLivingJobs: maxBatchJobs },
    shape: { count: step.count },
    maxRunning: step.maxRunning ?? undefined,
  };
  const one = holdOf(submission);
  const jobCost = costOf(submission);
  const hold = { time: one.time * step.count, space: one.space };
  const send = (key: string) => submitBatch(scene.context, submission, key, scene.now);
  return accept(
    scene,
    { user, place, count: step.count, hold, jobCost, source: undefined },
    step.fault,
    send,
  );
}

export async function again(scene: Scene, step: StepOf<'run failed again'>) {
  const batch = pick(scene.model.batches, step.batch);
  if (!batch) return undefined;
  const { user } = batch;
  const place = placeOfProject(batch.project);
  const project = { ...place.project, maxLivingJobs: maxBatchJobs };
  const failed = jobsOf(scene, batch).filter((job) => job.failed && job.state === 'ended');
  const source = batch.source ?? batch;
  const found = await findBatch(scene.table, user, batch.id);
  const send = (key: string) => repeatFailed(scene.context, found, { project }, key, scene.now);
  if (failed.length === 0) {
    expect(await scene.attempt(null, () => send(`again-${scene.now.toISOString()}`))).toMatchObject(
      { name: 'NothingFailedError' },
    );
    return { user, places: [place] };
  }
  const isGone =
    (batch.source !== undefined && batch.discard !== undefined) ||
    (batch.space > 0 && source.users === 0);
  if (isGone) {
    expect(await scene.attempt(null, () => send(`again-${scene.now.toISOString()}`))).toMatchObject(
      { name: 'BatchInputGoneError' },
    );
    return { user, places: [place] };
  }
  const hold = { time: batch.jobTime * failed.length, space: batch.space };
  const { jobCost } = batch;
  const wish = { user, place, count: failed.length, hold, jobCost, source };
  return accept(scene, wish, step.fault, send);
}

interface Wish {
  readonly user: UserId;
  readonly place: Place;
  readonly count: number;
  readonly hold: Amount;
  /** What each job may cost. */
  readonly jobCost: number | undefined;
  /** The batch that the zip was sent with, if not this one. */
  readonly source: ModelBatch | undefined;
}

/** A request that died is sent again with its key, and there is one batch. */
async function accept(
  scene: Scene,
  wish: Wish,
  fault: StepOf<'submit a batch'>['fault'],
  send: (key: string) => Promise<BatchAcceptance>,
): Promise<Touched> {
  const { model } = scene;
  const { user, place, count, hold, jobCost, source } = wish;
  const { name } = place.project;
  const key = `batch-${scene.now.toISOString()}`;
  const first = await scene.attempt(fault, () => send(key));
  if (isCrash(first)) await learnWelcome(scene, user);
  const outcome = isCrash(first) ? await scene.attempt(null, () => send(key)) : first;
  const refusal = refuse(scene, wish);
  if (outcome instanceof Error) expect(outcome.name, outcome.stack).toBe(refusal);
  else {
    expect(refusal).toBeUndefined();
    const { batch } = outcome;
    expect(batch.count).toBe(count);
    const users = source ?? { users: 0 };
    if (hold.space > 0) users.users += 1;
    model.batches.push({
      id: batch.id,
      user,
      project: name,
      count,
      jobTime: hold.time / count,
      ...(jobCost !== undefined && { jobCost }),
      space: hold.space,
      unfolded: 0,
      dropped: 0,
      holdsSpace: true,
      ...(source && { source }),
      users: source || hold.space === 0 ? 0 : 1,
      limit: batch.maxRunning,
    });
  }
  const { entries } = await listBatches(scene.table, { owner: user }, 1000);
  const known = model.batches.filter((each) => each.user === user);
  expect(entries.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
  return { user, places: [place] };
}

/** The budget is asked first, and welcomes nobody. */
function refuse({ model, catalog }: Scene, wish: Wish): string | undefined {
  const { user, place, count, hold, jobCost } = wish;
  const { name } = place.project;
  const unaffordable = jobCost === undefined ? undefined : model.refuseCost(jobCost * count);
  if (unaffordable) return unaffordable;
  if (!model.account(user, name)) model.welcome(user, welcomeOf(catalog));
  return model.refuse(user, name, hold, { jobs: count, most: maxBatchJobs });
}

/** Jobs are created, get their turn, or are cancelled: all of them, or as far as the time allows. */
export async function attend(scene: Scene, step: StepOf<'attend to a batch'>) {
  const batch = pick(scene.model.batches, step.batch);
  if (!batch) return undefined;
  let checks = 0;
  const isOver = () => {
    checks += 1;
    return checks > step.checks;
  };
  const run = () =>
    attendBatch(
      { ...scene.context, files: scene.files, now: () => scene.now, isOver },
      batchKey(batch.user, batch.id),
    );
  const outcome = await scene.attempt(step.fault, run);
  if (outcome instanceof Error && !isCrash(outcome)) throw outcome;
  await learn(scene, batch);
  const isWhole = !isCrash(outcome) && step.checks > 1000;
  if (isWhole && batch.discard === undefined) expect(pendingOf(batch)).toBe(0);
  if (isWhole && batch.discard) {
    expect(jobsOf(scene, batch).filter(({ state }) => state === 'living')).toEqual([]);
    expect(batch.holdsSpace && batch.space > 0).toBe(false);
  }
  return { user: batch.user, places: [placeOfProject(batch.project)] };
}

/** Reads what became of the jobs. That the account agrees with it is for the verification. */
async function learn(scene: Scene, batch: ModelBatch): Promise<void> {
  const { model, table } = scene;
  const found = await findBatch(table, batch.user, batch.id);
  const jobs = await readJobsAt(table, found, 0, found.count);
  expect(jobs.map(({ id }) => id - found.firstId)).toEqual(
    Array.from({ length: found.unfolded }, (_, place) => place),
  );
  for (const job of jobs.filter((each) => !scene.knows(each))) {
    scene.keep(job, { time: batch.jobTime, space: 0 }, batch.jobCost, batch.id);
  }
  batch.unfolded = found.unfolded;
  const known = new Map(model.jobs.map((job) => [job.jobId, job]));
  for (const job of jobs) if (batch.discard) follow(scene, job, known.get(job.jobId));
  if (found.held.kilobytes === 0) batch.holdsSpace = false;
  if (found.inputLeft && !batch.left) {
    batch.left = true;
    (batch.source ?? batch).users -= 1;
  }
  await expectTurns(scene, found, jobs);
}

function follow(scene: Scene, { stage, awaitsSettlement }: Job, job: ModelJob | undefined): void {
  if (!job) throw new Error('A job of the batch is not known.');
  if (job.state === 'living' && stage !== ownStages.canceled) return;
  if (job.state === 'living') applyCancel(scene, job);
  else if (job.state === 'cancelling' && !awaitsSettlement) {
    scene.model.settle(job, 0, 'cancelled');
  }
  if (stage === ownStages.deleted) job.state = 'deleted';
}

/** Never more jobs have their turn than may run at once. */
async function expectTurns({ table }: Scene, batch: Batch, jobs: readonly Job[]): Promise<void> {
  if (batch.maxRunning === undefined) return;
  const active = jobs.filter(({ terminal }) => !terminal);
  const lives = await Promise.all(active.map((job) => findLife(table, accountOf(job), job.jobId)));
  const inFlight = lives.filter((life) => !isParked(life)).length;
  expect(inFlight).toBeLessThanOrEqual(batch.maxRunning);
}

export async function discard(scene: Scene, step: StepOf<'discard a batch'>) {
  const { model, table } = scene;
  const batch = pick(model.batches, step.batch);
  if (!batch) return undefined;
  const { user } = batch;
  const only = step.only ?? undefined;
  const run = async () =>
    discardBatch(table, await findBatch(table, user, batch.id), scene.now, only);
  const isOver =
    pendingOf(batch) === 0 && jobsOf(scene, batch).every(({ state }) => state !== 'living');
  const outcome = await scene.attempt(step.fault, run);
  const wish = isOver ? 'delete' : 'cancel';
  const isDone = batch.discard === 'delete' || batch.discard === wish || (batch.discard && !only);
  if (isCrash(outcome)) {
    // The same request again. It may not delete what it has cancelled a moment ago.
    await run();
  } else if (outcome instanceof Error) throw outcome;
  if (!isDone && (only === undefined || only === wish)) {
    batch.discard = wish;
    batch.dropped += pendingOf(batch);
  }
  const found = await findBatch(table, user, batch.id);
  expect(found.discard).toBe(batch.discard);
  expect(found.dropped).toBe(batch.dropped);
  return { user, places: [placeOfProject(batch.project)] };
}

function jobsOf({ model }: Scene, { id }: ModelBatch): ModelJob[] {
  return model.jobs.filter((job) => job.batch === id);
}
