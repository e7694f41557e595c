import { matchesId, writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

const mostNamed = 5;

/** Anybody's job by its whole id; by the beginning of it only among the jobs of one user. */
export async function findAnyJob(
  client: Slipway,
  wanted: string,
  user: string | undefined,
): Promise<Job> {
  const [exact] = await client.listAllJobs({ job_id: wanted.toUpperCase() });
  if (exact) return exact;
  if (user === undefined)
    throw notFound(wanted, 'Write its whole id, or say whose it is: --user USER');
  const found: Job[] = [];
  for await (const job of client.listAllJobs({ user, order: 'desc', limit: 1000 })) {
    if (matchesId(job.job_id, wanted)) found.push(job);
  }
  const [job, ...others] = found;
  if (!job) throw notFound(wanted, `The jobs of ${user}: slipway admin jobs --user ${user} --all`);
  if (others.length === 0) return job;
  const names = found.slice(0, mostNamed).map(({ job_id: id }) => writeShortId(id));
  throw new CannotDo(`'${wanted}' may be ${found.length} jobs: ${names.join(', ')}.`, {
    next: 'Write more of its id.',
  });
}

function notFound(wanted: string, next: string): CannotDo {
  return new CannotDo(`There is no job '${wanted}'.`, { outcome: outcome.refused, next });
}
