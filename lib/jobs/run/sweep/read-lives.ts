import { jobKey, type PrimaryKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { jobFromItem } from '../../job.ts';
import { lifeFromItem } from '../../life/job-life.ts';
import type { LivingJob } from './sweep.ts';

/** Told of what could not be read: one damaged item must not hold up all others. */
export type NoteFailure = (error: unknown) => void;

/** Jobs with their lives, by the keys of the lives; without those that are gone. */
export async function readLives(
  table: Table,
  keys: readonly PrimaryKey[],
  noteFailure: NoteFailure,
): Promise<LivingJob[]> {
  return readJobsOf(table, await readItems(table, keys), noteFailure);
}

/** The jobs that these lives are of. */
export async function readJobsOf(
  table: Table,
  lives: readonly unknown[],
  noteFailure: NoteFailure,
): Promise<LivingJob[]> {
  const parsed = parseEach(lives, noteFailure, lifeFromItem);
  const keys = parsed.map(({ account, jobId }) => jobKey(account, jobId));
  const jobs = parseEach(await readItems(table, keys), noteFailure, jobFromItem);
  const byId = new Map(jobs.map((job) => [job.jobId, job]));
  return parsed.flatMap((life) => {
    const job = byId.get(life.jobId);
    return job ? [{ job, life }] : [];
  });
}

function parseEach<Parsed>(
  items: readonly unknown[],
  noteFailure: NoteFailure,
  parse: (item: unknown) => Parsed,
): Parsed[] {
  return items.flatMap((item) => {
    try {
      return [parse(item)];
    } catch (error) {
      noteFailure(error);
      return [];
    }
  });
}
