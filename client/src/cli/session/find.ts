import { type Charging, joinCharging } from '../../format/node-time.ts';
import { matchesId, writeShortId } from '../../format/write-short-id.ts';
import { type Job, type JobSum, type Slipway, SlipwayProblem } from '../../index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';

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

/** The project that somebody means by its name or by the name of its system. */
export async function findProject(client: Slipway, wanted: string): Promise<ProjectPlace> {
  const projects = await client.listProjects();
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) {
    const known = projects.map((each) => each.project_name).join(', ');
    throw new CannotDo(`There is no project '${wanted}'.`, {
      outcome: outcome.refused,
      next: `The projects are: ${known}.`,
    });
  }
  if (others.length > 0) {
    const names = [place, ...others].map(writePlace).join(' or ');
    throw new CannotDo(`'${wanted}' is on several systems.`, { next: `Write ${names}.` });
  }
  return place;
}

/** What a second is a second of on a system as bodies name it; without one, on all systems together. */
export type ChargingOf = (projectHpc?: string) => Charging;

export async function readCharging(client: Slipway): Promise<ChargingOf> {
  const systems = await client.listSystems();
  const known = new Map(systems.map((system) => [system.project_hpc, system.charging]));
  return (projectHpc) =>
    projectHpc === undefined ? joinCharging(known.values()) : (known.get(projectHpc) ?? 'mixed');
}

/** Seconds that a job reserved, used of that and gave back. */
interface JobUse {
  readonly held: number;
  readonly used: number;
  readonly returned: number;
}

/** As the ledger has it; nothing where that is not found. */
export async function readUse(client: Slipway, job: Job): Promise<JobUse | null> {
  const lines = await readSums(client, job);
  const line = lines.find(({ job_id: id }) => id === job.job_id);
  if (!line) return null;
  const { held, used, returned } = line;
  return { held: held.time, used: used.time, returned: returned.time };
}

async function readSums(client: Slipway, job: Job): Promise<readonly JobSum[]> {
  const { project_hpc: hpc, project_name, init_date: since } = job;
  try {
    return await client.readLedger({ hpc: hpc.toLowerCase(), project_name, sum: 'job', since });
  } catch (error) {
    // Thousands of lines since then are too many to add up: the job can be shown without them.
    if (error instanceof SlipwayProblem && error.status === 400) return [];
    throw error;
  }
}
