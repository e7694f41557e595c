import { jobKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Job, jobFromItem } from '../job.ts';
import type { JobLife } from '../life/job-life.ts';
import { type Awaited, readAwaited } from './awaited.ts';
import { listSuccessors } from './successors.ts';

/** One job or batch that a job waits for, or waited for. */
export interface AfterLine extends Omit<Awaited, 'key' | 'seen' | 'jobs'> {
  readonly anyEnd: boolean;
  readonly givesInput: boolean;
}

/** Reads how the jobs are that a job waits for. Costs nothing for a job that waits for none. */
export async function readAfter(
  table: Table,
  { owner }: Job,
  { after = [] }: JobLife,
): Promise<AfterLine[]> {
  if (after.length === 0) return [];
  const found = await readAwaited(table, owner, after);
  return after.map((place) => {
    const { title = '', stage = '', state = 'deleted' } = found.get(place.id) ?? {};
    return { ...place, title, stage, state };
  });
}

/** The most successors that are shown. */
const mostShown = 100;

/** Reads the jobs that wait for a job, or did, in the order of their submission. */
export async function readSuccessors(table: Table, { owner, jobId }: Job): Promise<Job[]> {
  const successors = (await listSuccessors(table, owner, jobId)).slice(0, mostShown);
  const keys = successors.map((one) => jobKey(one.account, one.jobId));
  const jobs = (await readItems(table, keys)).map(jobFromItem);
  return jobs.sort((a, b) => a.id - b.id);
}
