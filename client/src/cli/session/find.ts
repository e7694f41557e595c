import { type Charging, joinCharging } from '../../format/amounts.ts';
import { matchesId, writeShortId } from '../../format/write-short-id.ts';
import { type Job, type JobSum, type Slipway, SlipwayProblem } from '../../index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';

/** The start of an id is searched among this many of the newest jobs. */
const mostLookedAt = 5_000;
const mostNamed = 5;

/** Finds a job by its id or the start of it. Without either, finds the newest job. */
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

/** Chooses the one job whose id starts this way, or refuses. */
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
  throw new CannotDo(`'${wanted}' matches ${found.length} jobs: ${names.join(', ')}.`, {
    next: 'Write more of the id.',
  });
}

async function findExact(client: Slipway, jobId: string): Promise<Job | undefined> {
  if (!mayBeWhole(jobId)) return undefined;
  const [job] = await client.listJobs({ job_id: jobId });
  return job;
}

/**
 * True for text that may be a whole id, which one request finds. The start of an id needs a list.
 */
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

/** Finds a project by its name or by the name of its system. */
export async function findProject(client: Slipway, wanted: string): Promise<ProjectPlace> {
  const projects = await client.listProjects();
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) {
    const known = projects.map((each) => each.project_name).join(', ');
    throw new CannotDo(`Unknown project '${wanted}'.`, {
      outcome: outcome.refused,
      next: `Projects: ${known}.`,
    });
  }
  if (others.length > 0) {
    const names = [place, ...others].map(writePlace).join(' or ');
    throw new CannotDo(`'${wanted}' is on several systems.`, { next: `Write ${names}.` });
  }
  return place;
}

/**
 * Returns how each system charges, by its name in response bodies. Without a name, covers all
 * systems together.
 */
export type ChargingOf = (projectHpc?: string) => Charging;

export async function readCharging(client: Slipway): Promise<ChargingOf> {
  const systems = await client.listSystems();
  const known = new Map(systems.map((system) => [system.project_hpc, system.charging]));
  return (projectHpc) =>
    projectHpc === undefined ? joinCharging(known.values()) : (known.get(projectHpc) ?? 'mixed');
}

/**
 * Reads from the ledger how many seconds a job reserved, used and returned. Returns null if its
 * lines are not found.
 */
export async function readUse(client: Slipway, job: Job) {
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
    // The lines of an old job may be thousands of lines back. Show the job without them.
    if (error instanceof SlipwayProblem && error.status === 400) return [];
    throw error;
  }
}
