import type { Catalog } from '#lib/catalog/catalog.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { isJobId, type UserId } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import { jobKey, type PrimaryKey, type ProjectKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, type Job, jobFromItem } from '../job.ts';
import type { AwaitedId, AwaitedState } from './waits.ts';

/** A job or batch that another job waits for, as it is now. */
export interface Awaited extends ProjectKey {
  readonly id: AwaitedId;
  readonly key: PrimaryKey;
  readonly title: string;
  readonly stage: string;
  readonly state: AwaitedState;
}

/** Finds jobs of a user by their ids alone, in any project. Leaves out ids that nobody has. */
export async function findAwaited(
  table: Table,
  { systems }: Catalog,
  owner: UserId,
  ids: readonly AwaitedId[],
): Promise<ReadonlyMap<AwaitedId, Awaited>> {
  const projects = (await listProjects(table, systems)).map(projectKeyOf);
  const places = ids.flatMap((id) => projects.map((project) => ({ id, ...project })));
  return readAwaited(table, owner, places);
}

interface AwaitedPlace extends ProjectKey {
  readonly id: AwaitedId;
}

/** Reads jobs of a user whose projects are known, strongly consistent. */
export async function readAwaited(
  table: Table,
  owner: UserId,
  places: readonly AwaitedPlace[],
): Promise<ReadonlyMap<AwaitedId, Awaited>> {
  const keys = places.flatMap(({ id, hpc, project }) =>
    isJobId(id) ? [jobKey({ user: owner, hpc, project }, id)] : [],
  );
  const found = (await readItems(table, keys)).map(jobFromItem).map(describeJob);
  return new Map(found.map((awaited) => [awaited.id, awaited]));
}

function describeJob(job: Job): Awaited {
  const { hpc, project } = accountOf(job);
  const { jobId: id, title, stage } = job;
  const key = jobKey(accountOf(job), id);
  return { id, hpc, project, key, title, stage, state: stateOf(job) };
}

function stateOf({ terminal, stage, failed }: Job): AwaitedState {
  if (!terminal) return 'active';
  if (stage === ownStages.canceled) return 'cancelled';
  if (stage === ownStages.deleted) return 'deleted';
  return failed ? 'failed' : 'succeeded';
}

/** Whether the wait for one job goes on, is over, or can never end well. */
export type Verdict = 'open' | 'met' | 'broken';

/** A missing job counts as deleted. */
export function judgeAwaited(anyEnd: boolean, state: AwaitedState = 'deleted'): Verdict {
  if (state === 'active') return 'open';
  return anyEnd || state === 'succeeded' ? 'met' : 'broken';
}
