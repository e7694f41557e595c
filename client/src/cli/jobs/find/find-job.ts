import { matchesId, writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

/** Among so many of the newest, the beginning of an id is looked for. */
const mostLookedAt = 5_000;
const mostNamed = 5;

/** The job that is meant: by its id, by the beginning of it, or, where nothing is said, the newest. */
export async function findJob(client: Slipway, wanted: string | undefined): Promise<Job> {
  if (wanted === undefined) return findNewest(client);
  const exact = await findExact(client, wanted.toUpperCase());
  if (exact) return exact;
  const found: Job[] = [];
  let seen = 0;
  for await (const job of client.listJobs({ order: 'desc', limit: 1000 })) {
    if (matchesId(job.job_id, wanted)) found.push(job);
    seen += 1;
    if (seen >= mostLookedAt) break;
  }
  const none = `You have no job '${wanted}'.`;
  return chooseJob(found, wanted, { none, next: 'List your jobs: slipway jobs --all' });
}

/** The one that is meant, of those whose ids begin so. */
export function chooseJob(
  found: readonly Job[],
  wanted: string,
  { none, next }: { readonly none: string; readonly next: string },
): Job {
  const [job, ...others] = found;
  if (!job) throw new CannotDo(none, { outcome: outcome.refused, next });
  if (others.length === 0) return job;
  const names = found
    .slice(0, mostNamed)
    .map(({ job_id: id, title }) => `${writeShortId(id)} (${title || 'no title'})`);
  throw new CannotDo(`'${wanted}' may be ${found.length} jobs: ${names.join(', ')}.`, {
    next: 'Write more of its id.',
  });
}

async function findExact(client: Slipway, jobId: string): Promise<Job | undefined> {
  if (!mayBeWhole(jobId)) return undefined;
  const [job] = await client.listJobs({ job_id: jobId });
  return job;
}

/** What may be a whole id is one request; the beginning of one takes a list. */
export function mayBeWhole(jobId: string): boolean {
  return /^[A-Z0-9_-]{32,}$/.test(jobId);
}

async function findNewest(client: Slipway): Promise<Job> {
  const [newest] = await client.listJobs({ order: 'desc', limit: 1 });
  if (newest) return newest;
  throw new CannotDo('You have no jobs yet.', {
    outcome: outcome.refused,
    next: 'Submit one: slipway submit --help',
  });
}
