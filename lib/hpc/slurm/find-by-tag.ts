import type { JobTag } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { type JobRecord, readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { listQueue } from './look-up-jobs.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** "Nothing found with query", with which the accounting answers a question for no job. */
export const nothingFound = 9003;

/**
 * By its name, which is our job id, and as the account that it runs as: where Slurm shows users
 * their own jobs alone, these are among them. The queue has no filter, and keeps jobs that ended for
 * MinJobAge (300 s by default); where it has none, the accounting is asked, which forgets nothing.
 */
export async function findByTag(slurmrestd: Slurmrestd, tag: JobTag): Promise<string | undefined> {
  const user = tag.login ?? (await slurmrestd.readUser());
  const queue = await listQueue(slurmrestd, tag.login);
  const queued = findOwn(queue.jobs, tag, user);
  if (queued !== undefined) return queued.id;
  // It may be the very job that was not understood: to say that there is none would double it.
  if (!queue.complete)
    throw new SystemUnavailableError('A job in the list could not be understood.');
  return (await findAccounted(slurmrestd, tag, user))?.id;
}

/**
 * Names are free: the job of another user that carries ours is not ours. The first one is. A job of
 * nobody is that of an account that Slurm does not know.
 */
function findOwn(jobs: readonly JobRecord[], { jobId, login }: JobTag, user: string) {
  const own = jobs.filter(
    (job) => job.name === jobId && (login === undefined ? (job.user ?? user) : job.user) === user,
  );
  return own.toSorted((one, other) => Number(one.id) - Number(other.id))[0];
}

async function findAccounted(slurmrestd: Slurmrestd, tag: JobTag, user: string) {
  const { hasAccounting } = await slurmrestd.discover();
  if (!hasAccounting) return undefined;
  const path = `/jobs/?job_name=${encodeURIComponent(tag.jobId)}`;
  const answer = await slurmrestd.call({ method: 'GET', area: 'slurmdb', path, login: tag.login });
  if (hasCode(answer, nothingFound)) return undefined;
  const list = isSuccess(answer) ? readAccountedJobs(answer.content) : undefined;
  if (list === undefined) throw reportFailure(answer, 'find in the accounting');
  return findOwn(list.jobs, tag, user);
}
