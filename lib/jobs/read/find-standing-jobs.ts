import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Job } from '../job.ts';
import { findJob } from '../job-store.ts';
import { isParked, type JobLife } from '../life/job-life.ts';
import { findLife } from '../life/job-life-store.ts';
import { walkKeptJobs } from './read-holds.ts';

/** The schedule attends to waiting jobs every few minutes, so this is long after it should have. */
const lateMs = 60 * 60 * 1000;

/**
 * Finds active jobs of an account that nothing goes on with, such as a job of a chain that is not
 * due any more. Says for each what is wrong and what to do. Batches see to jobs that await their
 * turn.
 */
export async function findStandingJobs(
  table: Table,
  account: AccountKey,
  now: Date,
): Promise<string[]> {
  const standing: string[] = [];
  for await (const jobs of walkKeptJobs(table, account)) {
    for (const { jobId } of jobs.filter(({ terminal }) => !terminal)) {
      const life = await findLife(table, account, jobId);
      // Read after its life: an ended job is not due either.
      const job = await findJob(table, account, jobId);
      if (isStandingStill(job, life, now)) standing.push(explain(job, life));
    }
  }
  return standing;
}

function isStandingStill(job: Job, life: JobLife, now: Date): boolean {
  if (job.terminal || (job.batch && isParked(life))) return false;
  if (life.dueAt === undefined) return true;
  return life.waiting && now.getTime() - life.dueAt.getTime() > lateMs;
}

function explain({ project, jobId }: Job, { waiting, dueAt }: JobLife): string {
  const cause = dueAt ? `nobody has attended to it since ${dueAt.toISOString()}` : 'it is not due';
  const what = waiting ? 'waits for others and stands still' : 'stands still';
  return (
    `the job ${jobId} ${what}, because ${cause}. Its owner or an administrator can cancel it, ` +
    `which gives back what it holds: DELETE /jobs/${project.hpc}/${project.name}/${jobId}/`
  );
}
