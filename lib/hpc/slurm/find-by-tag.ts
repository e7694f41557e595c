import type { JobTag } from '../connector.ts';
import { SystemUnavailableError } from '../errors.ts';
import { type JobRecord, readAccountedJobs } from './job-record.ts';
import { reportFailure } from './judge-refusal.ts';
import { listQueue } from './look-up-jobs.ts';
import { hasCode, isSuccess } from './read-answer.ts';
import type { Slurmrestd } from './slurmrestd.ts';

/** "Nothing found with query": the accounting has no such job. */
export const nothingFound = 9003;

/**
 * Finds a job by its name, which is our job id. Asks as the account that the job runs as, because
 * Slurm may show users only their own jobs. The queue has no filter and keeps ended jobs for
 * MinJobAge (300 s by default). After that only the accounting knows them.
 */
export async function findByTag(slurmrestd: Slurmrestd, tag: JobTag): Promise<string | undefined> {
  const user = tag.login ?? (await slurmrestd.readUser());
  const queue = await listQueue(slurmrestd, tag.login);
  const queued = findOwn(queue.jobs, tag, user);
  if (queued !== undefined) return queued.id;
  // The entry that could not be read may be this job. Answering "none" would submit it twice.
  if (!queue.complete)
    throw new SystemUnavailableError('A job in the list could not be understood.');
  return (await findAccounted(slurmrestd, tag, user))?.id;
}

/**
 * Another user's job may have the same name, so the user must match too. The first match is ours. A
 * job of `nobody` belongs to an account that Slurm does not know.
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
