import type { JobId } from '#lib/catalog/identifiers.ts';
import { changeOf } from '#lib/table/change.ts';
import { type AccountKey, checkShard, dueKeys, handOversOf, jobLifeKey } from '#lib/table/keys.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { changeIf, changeItem, updateIf } from '#lib/table/writes.ts';
import { JobNotFoundError } from '../errors.ts';
import { accountOf, type Job } from '../job.ts';
import { putOnce } from '../job-store.ts';
import {
  type CommandTimes,
  type JobLife,
  type LifeTerms,
  lifeFromItem,
  newLifeToItem,
  runsKept,
  type SentResults,
  shorten,
  storedLife,
} from './job-life.ts';
import { tooLate } from './write-if-first.ts';

export function beginJobLife(job: Job, terms?: LifeTerms): Step {
  return putOnce(newLifeToItem(job, terms));
}

export async function findLife(table: Table, account: AccountKey, jobId: JobId): Promise<JobLife> {
  const life = await readItem(table, jobLifeKey(account, jobId), lifeFromItem);
  if (!life) throw new JobNotFoundError();
  return life;
}

/** Reads the lives of jobs by their ids. An imported job has none. */
export async function readLives(
  table: Table,
  jobs: readonly Job[],
): Promise<ReadonlyMap<JobId, JobLife>> {
  const keys = jobs.map((job) => jobLifeKey(accountOf(job), job.jobId));
  const lives = (await readItems(table, keys)).map(lifeFromItem);
  return new Map(lives.map((life) => [life.jobId, life]));
}

/** Lets a waiting job run: it is due for its hand-over from now on, and the stream tells of it. */
export async function releaseLife(table: Table, job: Job, at: Date): Promise<void> {
  await updateIf(table, releaseChange(job, at));
}

/** Does the same in a transaction, once the job has its input. */
export function releaseStep(job: Job, at: Date): Step {
  return { Update: releaseChange(job, at), refuse: tooLate };
}

function releaseChange(job: Job, at: Date) {
  return changeOf(jobLifeKey(accountOf(job), job.jobId), {
    set: {
      ...dueKeys(handOversOf(job.project.hpc), at, job.id),
      released: true,
      waiting: undefined,
      reason: undefined,
      ...notTakingOver,
    },
    expect: { waiting: true },
  });
}

const notTakingOver = { taking_over_since: undefined, take_overs: undefined };

/**
 * Has another process fetch the files of a waiting job: the stream tells of it, again and again until
 * somebody has begun.
 */
export async function askToFetch(table: Table, job: Job, seen: Date, again: Date): Promise<void> {
  await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: { released: true, due_at: again.toISOString(), taking_over_since: undefined },
    expect: { waiting: true, due_at: seen.toISOString() },
  });
}

/**
 * Claims a waiting job to take over its input until a moment by which this process has surely
 * ended. Returns false if somebody else was first.
 */
export function claimTakeOver(
  table: Table,
  job: Job,
  seen: Date,
  { began, until }: { readonly began: Date; readonly until: Date },
): Promise<boolean> {
  return changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: {
      taking_over_since: began.toISOString(),
      due_at: until.toISOString(),
      released: undefined,
    },
    add: { take_overs: 1 },
    expect: { waiting: true, due_at: seen.toISOString() },
  });
}

/** Ends a try that came to nothing because a system is away. Such tries do not count. */
export async function postponeTakeOver(
  table: Table,
  job: Job,
  to: Date,
  reason: string,
): Promise<void> {
  await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: { due_at: to.toISOString(), reason: shorten(reason), ...notTakingOver },
    expect: { waiting: true },
  });
}

/** Changes when a waiting job is checked again. Returns false if somebody else has done so. */
export function postponeWaiting(table: Table, job: Job, seen: Date, to: Date): Promise<boolean> {
  return changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: { due_at: to.toISOString() },
    expect: { waiting: true, due_at: seen.toISOString() },
  });
}

/** Changes to an active job's life after a check or a hand-over. */
export interface LifeChange
  extends Partial<
    Pick<
      JobLife,
      | 'runningSince'
      | 'unknownSince'
      | 'unknownChecks'
      | 'reason'
      | 'stages'
      | 'handOvers'
      | 'run'
      | 'runs'
    >
  > {
  readonly dueAt: Date;
  /** Set once the system has the job. From then on, the job is checked. */
  readonly handle?: string;
  /** Whether the system knows the job again. */
  readonly known?: boolean;
}

/**
 * Changes nothing if the job ended or was cancelled meanwhile, so that a pending cancel stays due.
 */
export async function saveLife(table: Table, job: Job, change: LifeChange): Promise<void> {
  await updateIf(table, writeLife(job, change));
}

/** Does the same after a failed hand-over, but changes nothing if a run of the job is known. */
export async function saveUnlessRunning(table: Table, job: Job, change: LifeChange): Promise<void> {
  await updateIf(table, writeLife(job, change, ['attribute_not_exists(handle)']));
}

/**
 * Saves the handle of a job that its system has, unless another one was stored meanwhile: a run of
 * the job may have asked for its script before the answer to the hand-over arrived. Returns the
 * handle that is stored then, or undefined if there is none besides this one.
 */
export async function saveHandle(
  table: Table,
  job: Job,
  change: LifeChange & { readonly handle: string },
): Promise<string | undefined> {
  const { handle } = change;
  const isFirst = ['(attribute_not_exists(#handle) OR #handle = :handle)'];
  if (await updateIf(table, writeLife(job, change, isFirst))) return undefined;
  const { handle: stored } = await findLife(table, accountOf(job), job.jobId);
  return stored === handle ? undefined : stored;
}

function writeLife(job: Job, change: LifeChange, expected: readonly string[] = []) {
  const { known = false, reason, handle, handOvers } = change;
  return changeOf(jobLifeKey(accountOf(job), job.jobId), {
    set: {
      ...storedLife.formatPart({ ...change, reason: reason && shorten(reason) }),
      ...(handle !== undefined && { due: checkShard(accountOf(job), job.id) }),
      ...(known && { unknown_since: undefined, unknown_checks: undefined }),
      ...(handOvers && { trying_since: undefined, cut_offs: undefined }),
    },
    when: [...whileActive, ...expected],
  });
}

const whileActive = ['attribute_exists(due_at)', 'attribute_not_exists(cancel_pending)'];

/** Changes nothing if the job has ended or was cancelled. */
export async function saveCommandTimes(
  table: Table,
  job: Job,
  commandTimes: CommandTimes,
): Promise<void> {
  await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: storedLife.formatPart({ commandTimes }),
    when: whileActive,
  });
}

/**
 * Notes that a run sends results. From now on at least this run counts. Changes nothing if somebody
 * else changed the life a moment ago: the run asks again, or its system tells of it.
 */
export async function noteSent(table: Table, job: Job, { run, bytes }: SentResults): Promise<void> {
  const { run: counts, sent = [] } = await findLife(table, accountOf(job), job.jobId);
  const others = sent.filter((each) => each.run !== run);
  await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: storedLife.formatPart({
      sent: [...others, { run, bytes }].slice(-runsKept),
      ...(run > counts && { run }),
    }),
    expect: { run: counts === 1 ? undefined : counts },
  });
}

/** Schedules another check of a cancelled job that has not ended on its system yet. */
export async function postponeCancel(table: Table, job: Job, dueAt: Date): Promise<void> {
  await changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: { due_at: dueAt.toISOString() },
    when: ['attribute_exists(cancel_pending)'],
  });
}

const notDue = { due: undefined, due_at: undefined };

/**
 * Marks the cancel as done once the system was told, so that the job is never due again, unless it
 * must still be removed there.
 */
export async function finishCancel(table: Table, job: Job): Promise<void> {
  const Key = jobLifeKey(accountOf(job), job.jobId);
  const done = { cancel_pending: undefined };
  const isLast = await changeIf(table, Key, {
    set: { ...notDue, ...done },
    expect: { remove_pending: undefined },
  });
  if (isLast) return;
  const due = checkShard(accountOf(job), job.id);
  await changeItem(table, Key, { set: { due, ...done } });
}

/**
 * Has the next sweep remove a job from its system. Changes nothing if the system keeps nothing of
 * it. A cancel that the system has not been told of comes first, and the job is due for that.
 */
export async function requestRemoval(table: Table, job: Job, now: Date): Promise<void> {
  const Key = jobLifeKey(accountOf(job), job.jobId);
  const due = { due: checkShard(accountOf(job), job.id), due_at: now.toISOString() };
  const marked = { remove_pending: true };
  const isMarked = await changeIf(table, Key, {
    set: { ...due, ...marked },
    expect: { system_keeps: true, cancel_pending: undefined },
  });
  if (isMarked) return;
  await changeIf(table, Key, { set: marked, expect: { system_keeps: true, cancel_pending: true } });
}

/** Marks a job as removed from its system, which keeps nothing of it any more. */
export async function finishRemoval(table: Table, job: Job): Promise<void> {
  await changeItem(table, jobLifeKey(accountOf(job), job.jobId), {
    set: { ...notDue, remove_pending: undefined, system_keeps: undefined },
  });
}
