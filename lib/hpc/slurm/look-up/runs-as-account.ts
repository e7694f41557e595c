import type { SubmittedJob } from '#lib/hpc/connector.ts';
import type { Slurmrestd } from '../api/slurmrestd.ts';
import { readQueued } from './look-up-jobs.ts';

/**
 * Whether Slurm has taken a job for its account. It takes one for an account that it does not know
 * just as well, and keeps it for ever as that of nobody.
 */
export async function runsAsAccount(slurmrestd: Slurmrestd, job: SubmittedJob): Promise<boolean> {
  const { jobs } = await readQueued(slurmrestd, job);
  return jobs.every(({ user }) => user === job.login);
}
