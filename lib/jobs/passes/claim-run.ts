import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, checkShard, jobLifeKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { changeIf } from '#lib/table/writes.ts';
import { JobNotFoundError, JobRunsElsewhereError } from '../errors.ts';
import { accountOf, type Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { addHandOver, type JobLife, storedLife } from '../life/job-life.ts';
import { findLife } from '../life/job-life-store.ts';
import { readJobs } from '../read/read-jobs.ts';
import { findActiveJob } from './find-active-job.ts';

/** A run of a job on its system, which asks for the job's script. */
export interface AskingRun {
  /** The id that the system gave to the run. It is the handle of its job. */
  readonly run: string;
  /** Set for a task of an array, whose pass names another job of the same array. */
  readonly task?: number | undefined;
}

/**
 * Returns the job of a run, if the run is the job's only one. The first run that is known wins: the
 * handle that the hand-over stored, or without one the run that asks first. So the command of a job
 * runs once, even if the answer to its hand-over was lost and the job was handed over again. The
 * same run may ask again, because its first answer may be lost, or its system may repeat it.
 */
export async function claimRun(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  asking: AskingRun,
  now: Date,
): Promise<Job> {
  const { run } = asking;
  const { job, life } = await findRun(table, account, jobId, asking);
  if (life.handle === run || (await noteRun(table, job, life, run, now))) return job;
  const { handle } = await findLife(table, account, job.jobId);
  if (handle === run) return job;
  throw handle === undefined ? new JobNotFoundError() : new JobRunsElsewhereError();
}

/** Finds the job of a run without claiming it. Throws if the run could not claim it. */
export async function findRun(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  { run, task }: AskingRun,
): Promise<{ readonly job: Job; readonly life: JobLife }> {
  const job = await (task === undefined
    ? findActiveJob(table, account, jobId)
    : findTask(table, account, jobId, task));
  const life = await findLife(table, account, job.jobId);
  if (life.handle === undefined && !mayBegin(life)) throw new JobNotFoundError();
  if (life.handle !== undefined && life.handle !== run) throw new JobRunsElsewhereError();
  return { job, life };
}

/** False for a job that waits for others or for its turn, and for one that is being cancelled. */
function mayBegin({ dueAt, waiting, cancelPending }: JobLife): boolean {
  return dueAt !== undefined && !waiting && !cancelPending;
}

/** Finds an active job by its number in the array of another one, which may have ended. */
async function findTask(
  table: Table,
  account: AccountKey,
  jobId: JobId,
  task: number,
): Promise<Job> {
  const [known, { array }] = await Promise.all([
    findJob(table, account, jobId),
    findLife(table, account, jobId),
  ]);
  if (!array || !known.batch) throw new JobNotFoundError();
  // The jobs of an array are numbered in the order of its tasks, without gaps.
  const id = known.id + task - array.task;
  const list = { owner: known.owner, order: 'asc', filter: {} } as const;
  const { jobs } = await readJobs(table, list, id - 1, 1);
  const [job] = jobs;
  const isTask = job?.id === id && job.batch?.id === known.batch.id;
  if (!isTask || job.terminal) throw new JobNotFoundError();
  const { array: own } = await findLife(table, accountOf(job), job.jobId);
  if (own?.name !== array.name) throw new JobNotFoundError();
  return job;
}

/**
 * Stores a run as the handle of its job, as its hand-over would have. From now on the job is
 * checked, and not handed over. Returns false if the job has a handle by now, or may not run.
 */
function noteRun(table: Table, job: Job, life: JobLife, run: string, now: Date): Promise<boolean> {
  const { tryingSince } = life;
  return changeIf(table, jobLifeKey(accountOf(job), job.jobId), {
    set: {
      ...storedLife.formatPart({
        handle: run,
        dueAt: now,
        ...(tryingSince && { handOvers: addHandOver(life, tryingSince) }),
      }),
      due: checkShard(accountOf(job), job.id),
      trying_since: undefined,
      cut_offs: undefined,
    },
    expect: { handle: undefined, waiting: undefined, cancel_pending: undefined },
    when: ['attribute_exists(due_at)'],
  });
}
