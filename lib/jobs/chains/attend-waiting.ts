import { findSystem } from '#lib/catalog/catalog.ts';
import { ownStages, stageOfFailure } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { type DueKey, findTooFarAhead, moveDue, sweepDue } from '#lib/table/due-index.ts';
import { jobLifeKey, listShards, type PrimaryKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Job } from '../job.ts';
import { readRequest } from '../job-request.ts';
import { findJob } from '../job-store.ts';
import { endJob } from '../life/end-job.ts';
import { type JobLife, lifeFromItem } from '../life/job-life.ts';
import { askToFetch, postponeWaiting, releaseLife } from '../life/job-life-store.ts';
import { recheckSeconds } from './await-jobs.ts';
import { judgeAwaited, readAwaited } from './awaited.ts';
import { explainEnd } from './explain-wait.ts';
import { type InputRefusal, prepareInput, type WaitingContext } from './prepare-input.ts';
import { listSuccessors } from './successors.ts';
import type { AwaitedId } from './waits.ts';

/** Checks the jobs that wait for a job or batch that has ended, or was deleted. */
export async function attendEnd(
  context: WaitingContext,
  owner: UserId,
  ended: AwaitedId,
): Promise<void> {
  for (const { account, jobId } of await listSuccessors(context.table, owner, ended)) {
    await attendWaiting(context, jobLifeKey(account, jobId));
  }
}

/**
 * Decides about a waiting job: releases it, ends it because what it waits for ended badly, or lets
 * it wait. Every decision is one conditional write, so it may be repeated at any time.
 */
export async function attendWaiting(context: WaitingContext, key: PrimaryKey): Promise<void> {
  const { table } = context;
  const life = await readItem(table, key, lifeFromItem);
  if (!life?.waiting) return;
  const job = await findJob(table, life.account, life.jobId);
  const { after = [] } = life;
  const found = await readAwaited(table, job.owner, after);
  const judged = after.map((place) => {
    const state = found.get(place.id)?.state ?? 'deleted';
    return { ...place, state, verdict: judgeAwaited(place, state) };
  });
  const broken = judged.find(({ verdict }) => verdict === 'broken');
  if (broken) return giveUp(context, job, { outcome: 'cancelled', reason: explainEnd(broken) });
  if (judged.some(({ verdict }) => verdict === 'open')) return postpone(context, job, life);
  return release(context, job, life);
}

/** Releases a job whose wait is over, with the input that is put together for it if it asked. */
async function release(context: WaitingContext, job: Job, life: JobLife): Promise<void> {
  const { table, now, fetcher } = context;
  const { after, serviceFetches, takingOverSince, dueAt } = life;
  if (!serviceFetches && !after?.some(({ givesInput }) => givesInput)) {
    return releaseLife(table, job, now());
  }
  if (serviceFetches && !fetcher) {
    // Slow servers must not keep other jobs from being released.
    const isBusy = takingOverSince !== undefined && dueAt && dueAt > now();
    if (!dueAt || isBusy) return;
    return askToFetch(table, job, dueAt, addSeconds(now(), recheckSeconds));
  }
  const refusal = await prepareInput(context, job, life);
  if (refusal !== undefined) await giveUp(context, job, refusal);
}

/** Ends a job that will never run, gives everything back, and tells those that wait for it. */
async function giveUp(context: WaitingContext, job: Job, refusal: InputRefusal): Promise<void> {
  const at = context.now();
  const { outcome, reason } = refusal;
  const { stages } = findSystem(context.catalog, job.project.hpc);
  const end = {
    stage: outcome === 'cancelled' ? ownStages.canceled : stageOfFailure(stages),
    outcome,
    endedAt: at,
    ranSeconds: 0,
    onlyWhile: 'waiting',
    reason,
  } as const;
  const isEnded = (await endJob(context.table, job, end, at)) === 'ended';
  // A failed job keeps its input until it is deleted.
  if (isEnded && outcome === 'cancelled') await removeInput(context, job);
  await attendEnd(context, job.owner, job.jobId);
}

/** Its space was given back. If this fails, the storage expires the zip later. */
async function removeInput({ table, files }: WaitingContext, job: Job): Promise<void> {
  // Jobs of a batch share their input. It goes with the batch.
  const key = job.batch ? undefined : (await readRequest(table, job))?.input.key;
  if (key !== undefined) await files.inputs.remove(key).catch(() => undefined);
}

async function postpone({ table, now }: WaitingContext, job: Job, life: JobLife): Promise<void> {
  const { dueAt } = life;
  const at = now();
  if (dueAt && dueAt <= at) {
    await postponeWaiting(table, job, dueAt, addSeconds(at, recheckSeconds));
  }
}

/** Waiting jobs that are checked in parallel. */
const width = 10;

/** Tolerated difference between the clocks of two machines. */
const slackSeconds = 60;

const pageSize = 250;

/**
 * Checks all waiting jobs that are due. This is what makes chains reliable; the news of an end only
 * makes them fast. Returns the failures.
 */
export async function sweepWaiting(context: WaitingContext): Promise<unknown[]> {
  const { table, now } = context;
  const shards = listShards('WAITING');
  // Their due time was written before the clock was set back.
  const latest = addSeconds(now(), recheckSeconds + slackSeconds);
  for (const key of await findTooFarAhead(table, shards, latest, pageSize)) {
    await moveDue(table, key, now());
  }
  const attend = (key: DueKey) => attendWaiting(context, key);
  return sweepDue(table, shards, attend, { width, clock: now });
}
