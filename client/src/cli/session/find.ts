import { type Charging, joinCharging } from '../../format/amounts/amounts.ts';
import { isBatchId, matchesId, writeShortId } from '../../format/jobs/write-short-id.ts';
import { joinWords } from '../../format/sentences/join-words.ts';
import { type Batch, type Job, type JobSum, type Slipway, SlipwayProblem } from '../../index.ts';
import { matchProjects, type ProjectPlace, writePlace } from '../../rows/match-projects.ts';
import { suggest } from '../terminal/explain-problem.ts';
import { CannotDo, outcome } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';

/** The start of an id is searched among this many of the newest jobs. */
const mostLookedAt = 5_000;
/** And among this many of the newest batches. */
const mostBatches = 1_000;
const mostNamed = 5;

/** Finds a job by its id or the start of it. Without either, finds the newest job. */
export async function findJob(client: Slipway, wanted: string | undefined): Promise<Job> {
  if (wanted === undefined) return requireJob(await findNewest(client));
  const found = await matchJobs(client, wanted);
  const [batch] = found.length === 0 ? await matchBatches(client, wanted) : [];
  if (batch) {
    const id = writeShortId(batch.batch_id);
    throw new CannotDo(phrase('session.isABatch', { id }), {
      next: phrase('session.listItsJobs', { id }),
    });
  }
  return choose(found, wanted, {
    none: phrase('session.youHaveNoSuchJob', { wanted }),
    next: phrase('session.listYourJobs'),
  });
}

/** Finds a batch by its id or the start of it. Without either, finds the newest batch. */
export async function findBatch(client: Slipway, wanted: string | undefined): Promise<Batch> {
  if (wanted !== undefined) {
    return choose(await matchBatches(client, wanted), wanted, {
      none: phrase('session.youHaveNoBatch', { wanted }),
      next: phrase('session.listYourBatches'),
    });
  }
  const [newest] = await client.listBatches({ limit: 1 });
  if (newest) return newest;
  throw new CannotDo(phrase('session.youHaveNoBatchesYet'), {
    outcome: outcome.refused,
    next: phrase('session.submitOne'),
  });
}

/** Finds a job or a batch. Without an id, finds what was submitted last. */
export async function findWork(client: Slipway, wanted: string | undefined): Promise<Job | Batch> {
  if (wanted === undefined) return findNewestWork(client);
  const id = wanted.toUpperCase();
  if (isBatchId(id)) return findBatch(client, wanted);
  if (mayBeWhole(id)) return findJob(client, wanted);
  const [jobs, batches] = await Promise.all([
    matchJobs(client, wanted),
    matchBatches(client, wanted),
  ]);
  if (jobs.length === 0 || batches.length === 0) {
    return choose<Job | Batch>([...jobs, ...batches], wanted, {
      none: phrase('session.youHaveNoSuchWork', { wanted }),
      next: phrase('session.listJobsAndBatches'),
    });
  }
  throw new CannotDo(
    phrase('session.matchesBothAJob', { wanted, names: nameSome([...jobs, ...batches]) }),
    { next: phrase('session.writeMoreOfTheId') },
  );
}

export function isBatch(work: Job | Batch): work is Batch {
  return 'batch_id' in work;
}

export function idOf(work: Job | Batch): string {
  return isBatch(work) ? work.batch_id : work.job_id;
}

async function findNewestWork(client: Slipway): Promise<Job | Batch> {
  const [job, [batch]] = await Promise.all([findNewest(client), client.listBatches({ limit: 1 })]);
  if (!batch) return requireJob(job);
  const isNewest =
    !job || job.batch === batch.batch_id || Date.parse(batch.init_date) > Date.parse(job.init_date);
  return isNewest ? batch : job;
}

async function matchJobs(client: Slipway, wanted: string): Promise<Job[]> {
  const exact = await findExact(client, wanted.toUpperCase());
  if (exact) return [exact];
  return matchNewest(client.listJobs({ order: 'desc', limit: 1000 }), wanted, mostLookedAt);
}

function matchBatches(client: Slipway, wanted: string): Promise<Batch[]> {
  return matchNewest(client.listBatches({ limit: 100 }), wanted, mostBatches);
}

async function matchNewest<Work extends Job | Batch>(
  list: AsyncIterable<Work>,
  wanted: string,
  most: number,
): Promise<Work[]> {
  const found: Work[] = [];
  let seen = 0;
  for await (const work of list) {
    const id = idOf(work);
    if (matchesId(id, wanted)) found.push(work);
    seen += 1;
    if (seen >= most || id === wanted.toUpperCase()) break;
  }
  return found;
}

/** Chooses the one job or batch whose id starts this way, or refuses. */
export function choose<Work extends Job | Batch>(
  found: readonly Work[],
  wanted: string,
  { none, next }: { readonly none: string; readonly next: string },
): Work {
  const [work, ...others] = found;
  if (!work) throw new CannotDo(none, { outcome: outcome.refused, next });
  if (others.length === 0) return work;
  const many = { wanted, count: found.length, names: nameSome(found) };
  throw new CannotDo(
    phrase(isBatch(work) ? 'session.matchesBatches' : 'session.matchesJobs', many),
    { next: phrase('session.writeMoreOfTheId') },
  );
}

/** Names the first ones as lists show them, and counts the rest: `CFA5D6C6 (a title), 5 more`. */
function nameSome(found: readonly (Job | Batch)[]): string {
  const names = found.slice(0, mostNamed).map((work) => {
    const id = writeShortId(idOf(work));
    return `${id} ${work.title ? `(${work.title})` : phrase('shared.noTitle')}`;
  });
  const rest = found.length - names.length;
  return [...names, ...(rest > 0 ? [phrase('session.moreOfThem', { rest })] : [])].join(', ');
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

async function findNewest(client: Slipway): Promise<Job | undefined> {
  const [newest] = await client.listJobs({ order: 'desc', limit: 1 });
  return newest;
}

function requireJob(newest: Job | undefined): Job {
  if (newest) return newest;
  throw new CannotDo(phrase('session.youHaveNoJobsYet'), {
    outcome: outcome.refused,
    next: phrase('session.submitOne'),
  });
}

/** Finds a project by its name or by the name of its system. */
export async function findProject(client: Slipway, wanted: string): Promise<ProjectPlace> {
  const projects = await client.listProjects();
  const [place, ...others] = matchProjects(projects, wanted);
  if (!place) {
    const known = projects.map((each) => each.project_name);
    throw new CannotDo(phrase('session.unknownProjectName', { wanted }), {
      outcome: outcome.refused,
      next: suggest(wanted, known) ?? phrase('session.projectsAre', { known: known.join(', ') }),
    });
  }
  if (others.length > 0) {
    const names = [place, ...others].map(writePlace);
    throw new CannotDo(phrase('session.isOnSeveralSystems', { wanted }), {
      next: phrase('session.writeOneOf', { joinWords: joinWords(names, 'disjunction') }),
    });
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
