import { matchesId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { chooseJob, mayBeWhole } from '../../jobs/find/find-job.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

/** Anybody's job by its whole id; by the beginning of it only among the jobs of one user. */
export async function findAnyJob(
  client: Slipway,
  wanted: string,
  user: string | undefined,
): Promise<Job> {
  const jobId = wanted.toUpperCase();
  const [exact] = mayBeWhole(jobId) ? await client.listAllJobs({ job_id: jobId }) : [];
  if (exact) return exact;
  const none = `There is no job '${wanted}'.`;
  if (user === undefined) {
    const next = 'Write its whole id, or say whose it is: --user USER';
    throw new CannotDo(none, { outcome: outcome.refused, next });
  }
  const found: Job[] = [];
  for await (const job of client.listAllJobs({ user, order: 'desc', limit: 1000 })) {
    if (matchesId(job.job_id, wanted)) found.push(job);
  }
  const next = `The jobs of ${user}: slipway admin jobs --user ${user} --all`;
  return chooseJob(found, wanted, { none, next });
}
