import type { BatchId, UserId } from '#lib/catalog/identifiers.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type FoundResult, findResult } from '#lib/files/results/find-result.ts';
import type { FileSource } from '#lib/files/results/job-file.ts';
import type { FileOwner } from '#lib/files/results/open-file-source.ts';
import type { Job } from '#lib/jobs/job.ts';
import { readLives } from '#lib/jobs/life/job-life-store.ts';
import type { Table } from '#lib/table/table.ts';
import { type Batch, rangeOf } from './batch.ts';

/** What a job of a batch wrote under a name. An active job may still change it. */
export interface JobResult {
  readonly job: Job;
  /** Its place in the batch, from 0. A job that is run again keeps its index, but not its place. */
  readonly place: number;
  readonly result: FoundResult | { readonly state: 'active' };
}

/** Selects a file of each job of a batch, or of those from one place in it to another. */
export interface ResultList {
  readonly owner: UserId;
  readonly batch: BatchId;
  readonly name: string;
  readonly first?: number | undefined;
  readonly last?: number | undefined;
}

export interface ResultSource {
  readonly table: Table;
  readonly batch: Batch;
  readonly openFiles: (job: FileOwner) => FileSource;
  /** How many jobs are read at once. */
  readonly atOnce: number;
}

/** Returns the ids of the jobs of a list. */
export function selectRange(batch: Batch, { first = 0, last = batch.count - 1 }: ResultList) {
  const all = rangeOf(batch);
  return { first: all.first + first, last: Math.min(all.first + last, all.last) };
}

/** Reads the file of this name of each ended job. */
export async function readResults(
  { table, batch, openFiles, atOnce }: ResultSource,
  jobs: readonly Job[],
  name: string,
): Promise<JobResult[]> {
  const ended = jobs.filter(({ terminal }) => terminal);
  const lives = await readLives(table, ended);
  const readOne = async (job: Job): Promise<JobResult['result']> => {
    if (!job.terminal) return { state: 'active' };
    const life = lives.get(job.jobId);
    if (!life) return { state: 'missing' };
    const { handle, login, run } = life;
    return findResult(openFiles({ ...job, handle, login, run }), name);
  };
  return mapInParallel(jobs, atOnce, async (job) => ({
    job,
    place: job.id - batch.firstId,
    result: await readOne(job),
  }));
}
