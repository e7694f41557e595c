import { expect } from 'vitest';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { attendEnd, sweepWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import type { WaitingContext } from '#lib/jobs/chains/prepare-input.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { findJob } from '#lib/jobs/job-store.ts';
import { findLife } from '#lib/jobs/life/job-life-store.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import type { ModelChain, ModelJob } from './accounts.ts';
import {
  after,
  checkSeconds,
  endWait,
  isWaiting,
  judge,
  listAwaited,
  successorsOf,
} from './chains.ts';
import { isCrash } from './faults.ts';
import type { StepOf } from './history.ts';
import { applyCancel, slurm } from './job-steps.ts';
import { projectAt } from './places.ts';
import { pick, type Scene, type Touched } from './scene.ts';
import { buildSubmission } from './submissions.ts';
import { sendOnce } from './submit-steps.ts';
import { ledgersOf } from './verify.ts';

export async function submitAfter(
  scene: Scene,
  step: StepOf<'submit after others'>,
): Promise<Touched | undefined> {
  const { model } = scene;
  const user = scene.nameOf(step.user);
  const jobs = model.jobs.filter((job) => job.user === user);
  const batches = model.batches.filter((batch) => batch.user === user);
  const own = [...batches.map(({ id }) => id), ...jobs.map(({ jobId }) => jobId)].reverse();
  const find = (numbers: readonly number[]) => numbers.flatMap((each) => pick(own, each) ?? []);
  const stranger = step.foreign ? model.jobs.find((job) => job.user !== user) : undefined;
  const source = step.inputFrom ? pick(jobs.toReversed(), step.inputFrom.job) : undefined;
  if (source && step.inputFrom) await leaveResults(scene, source, step.inputFrom.results);
  const waits = {
    after: [...find(step.after), ...(stranger ? [stranger.jobId] : [])],
    afterAny: find(step.afterAny),
    ...(source && { input: { from: source.jobId } }),
  };
  const submission = buildSubmission(user, projectAt(step.project), step);
  const isFree = waits.after.length + waits.afterAny.length === 0 && !source;
  if (isFree) return sendOnce(scene, submission, step);
  const { input } = submission;
  const content = zipOf('own', step.kilobytes);
  const zip = { kind: 'inline', content, sha256: '' } as const;
  // Results are joined with it, so it must be a zip.
  const isJoined = source && step.kilobytes > 0;
  const sent = { ...submission, waits, input: isJoined ? { ...input, source: zip } : input };
  return sendOnce(scene, sent, step);
}

async function leaveResults({ files }: Scene, job: ModelJob, kilobytes: number): Promise<void> {
  job.results ??= kilobytes;
  if (job.results === 0) return;
  await files.results.put(
    resultsKey({ owner: job.user, jobId: job.jobId, run: 1 }),
    zipOf('results', job.results),
  );
}

/** A zip of so many kilobytes, with room for its headers. Two of them joined have as many as both. */
function zipOf(name: string, kilobytes: number) {
  const content = new Uint8Array(Math.max(0, kilobytes * 1000 - 500));
  return buildZip([{ name, content, stored: true }]);
}

/** The news of an end comes: once, or more often, or too early. */
export async function tell(
  scene: Scene,
  step: StepOf<'tell of an end'>,
): Promise<Touched | undefined> {
  const { model } = scene;
  const awaited = pick(listAwaited(model).toReversed(), step.awaited);
  if (!awaited) return undefined;
  const { user, id } = awaited;
  const outcome = await scene.attempt(step.fault, () =>
    attendEnd(contextOf(scene, step), user, id),
  );
  if (outcome instanceof Error && !isCrash(outcome)) throw outcome;
  await follow(scene, successorsOf(model, id), { ...step, crashed: isCrash(outcome) });
  return { user, places: ledgersOf(model, user) };
}

/** The clock checks all waiting jobs that are due, of both users. */
export async function checkWaiting(
  scene: Scene,
  step: StepOf<'check waiting jobs'>,
): Promise<Touched> {
  const { model } = scene;
  const user = scene.nameOf(step.user);
  scene.pass(step.seconds);
  const outcome = await scene.attempt(step.fault, () => sweepWaiting(contextOf(scene, step)));
  const failures = outcome instanceof Error ? [outcome] : outcome;
  const bug = failures.find((failure) => !isCrash(failure));
  if (bug) throw bug;
  const due = model.jobs.filter((job) => isWaiting(job) && job.chain.until <= scene.now);
  await follow(scene, due, { ...step, crashed: failures.length > 0 });
  return { user, places: ledgersOf(model, user) };
}

function contextOf(scene: Scene, { away }: { readonly away: boolean }): WaitingContext {
  const { table, files } = scene;
  const measure = () => Promise.reject(new StorageUnavailableError());
  return {
    table,
    // Jobs send their results, so no system needs to be asked for them.
    catalog: {
      ...scene.catalog,
      systems: scene.catalog.systems.map((system) => ({ ...system, connector: slurm })),
    },
    files: away ? { ...files, results: { ...files.results, measure } } : files,
    connect: () => Promise.reject(new Error('No system is asked.')),
    now: () => scene.now,
  };
}

type Fate = 'released' | 'fallen' | 'waiting';

interface Circumstances {
  readonly away: boolean;
  /** Whether the process died, so that things may have happened or not. */
  readonly crashed: boolean;
}

/** Predicts what comes of waiting jobs that were checked, and of those that wait for them in turn. */
async function follow(
  scene: Scene,
  checked: readonly ModelJob[],
  circumstances: Circumstances,
): Promise<void> {
  const queue = [...checked];
  for (const job of queue) {
    if (!isWaiting(job)) continue;
    const expected = foretell(scene, job, circumstances, queue.length === 1);
    const fate = await fateOf(scene, job);
    const possible = circumstances.crashed ? [...expected, 'waiting'] : expected;
    expect(possible, `${job.jobId}, which waits`).toContain(fate);
    if (fate === 'released') await release(scene, job);
    if (fate === 'fallen') {
      applyCancel(scene, job);
      queue.push(...successorsOf(scene.model, job.jobId));
    }
  }
  for (const job of new Set(queue)) {
    if (isWaiting(job)) await followWait(scene, job, circumstances);
  }
}

function foretell(
  { model, now }: Scene,
  job: ModelJob & { chain: { until: Date } },
  { away }: Circumstances,
  alone: boolean,
): Fate[] {
  const { chain } = job;
  const verdict = judge(model, chain.waits);
  if (verdict === 'open') return ['waiting'];
  if (verdict === 'broken') return ['fallen'];
  const source = sourceOf(model, chain);
  if (!source) return ['released'];
  if (chain.leased && chain.until > now) return ['waiting'];
  if (chain.tries === mostTries) return ['fallen'];
  if (away) return ['waiting'];
  if (!source.results) return ['fallen'];
  // Several jobs may want the same space, and any of them may be the first.
  if (!alone) return ['released', 'fallen'];
  const fits = source.results <= model.leftToPay(job.user, job.project).space;
  return [fits ? 'released' : 'fallen'];
}

const mostTries = 3;
const leaseSeconds = 310;
const pauseSeconds = 60;

function sourceOf(model: Scene['model'], { waits }: ModelChain): ModelJob | undefined {
  const from = waits.find(({ givesInput }) => givesInput);
  return from && model.jobs.find(({ jobId }) => jobId === from.id);
}

async function fateOf(scene: Scene, job: ModelJob): Promise<Fate> {
  const account = accountOf(scene.recordOf(job));
  const { stage } = await findJob(scene.table, account, job.jobId);
  if (stage === ownStages.canceled) return 'fallen';
  return (await findLife(scene.table, account, job.jobId)).waiting ? 'waiting' : 'released';
}

/** Its input takes space from this moment on. */
async function release(scene: Scene, job: ModelJob): Promise<void> {
  const { chain } = job;
  if (!chain) return;
  endWait(job, 'released');
  chain.tries = 0;
  chain.leased = false;
  const { results = 0 } = sourceOf(scene.model, chain) ?? {};
  if (results === 0) return;
  job.hold = { ...job.hold, space: job.hold.space + results };
  scene.renew(await findJob(scene.table, accountOf(scene.recordOf(job)), job.jobId));
}

/** Predicts when a job is checked again that goes on waiting. */
async function followWait(
  scene: Scene,
  job: ModelJob & { chain: { until: Date } },
  { away, crashed }: Circumstances,
): Promise<void> {
  const { model, now } = scene;
  const { chain } = job;
  const { until, tries, leased } = chain;
  const before = { until, tries, leased };
  const tried =
    judge(model, chain.waits) === 'met' &&
    sourceOf(model, chain) !== undefined &&
    !(leased && until > now) &&
    tries < mostTries;
  const isOpen = judge(model, chain.waits) === 'open';
  const next = isOpen && until <= now ? { ...before, until: after(now, checkSeconds) } : before;
  const later = { until: after(now, pauseSeconds), tries: 0, leased: false };
  const claimed = { until: after(now, leaseSeconds), tries: tries + 1, leased: true };
  const expected = tried && away ? later : next;
  const possible = crashed ? [before, expected, ...(tried ? [claimed] : [])] : [expected];
  const life = await findLife(scene.table, accountOf(scene.recordOf(job)), job.jobId);
  const found = {
    until: life.dueAt ?? now,
    tries: life.takeOvers,
    leased: life.takingOverSince !== undefined,
  };
  expect(possible, `${job.jobId}, which goes on waiting`).toContainEqual(found);
  Object.assign(chain, found);
}

/** At the end of a history all waiting jobs are cancelled. */
export async function giveUpWaiting(scene: Scene): Promise<void> {
  scene.passSecond();
  for (const job of scene.model.jobs.filter(isWaiting)) {
    await deleteJob(scene.table, accountOf(scene.recordOf(job)), job.jobId, scene.now);
    applyCancel(scene, job);
  }
}
