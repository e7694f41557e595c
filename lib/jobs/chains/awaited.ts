import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import { isBatchId, isJobId, type UserId } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { batchKey, jobKey, type PrimaryKey, type ProjectKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads.ts';
import { StoredBatchId, StoredProjectName, StoredSystemName } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, type Job, jobFromItem } from '../job.ts';
import type { AwaitedId, AwaitedState, Condition } from './waits.ts';

/** A job or batch that another job waits for, as it is now. */
export interface Awaited extends ProjectKey {
  readonly id: AwaitedId;
  readonly key: PrimaryKey;
  readonly title: string;
  /** The stage of a job. A batch has no stages, and is `running` until it has ended. */
  readonly stage: string;
  readonly state: AwaitedState;
  /** The jobs of a batch. */
  readonly jobs?: { readonly firstId: number; readonly count: number };
  /** The attributes that show whether it has ended since it was read. */
  readonly seen: Attributes;
}

/** Finds jobs and batches of a user by their ids alone. Leaves out ids that nobody has. */
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

/** Reads jobs and batches of a user whose projects are known, strongly consistent. */
export async function readAwaited(
  table: Table,
  owner: UserId,
  places: readonly AwaitedPlace[],
): Promise<ReadonlyMap<AwaitedId, Awaited>> {
  const keys = places.flatMap(({ id, hpc, project }) =>
    isJobId(id) ? [jobKey({ user: owner, hpc, project }, id)] : [],
  );
  const batchIds = new Set(places.map(({ id }) => id).filter(isBatchId));
  const batchKeys = [...batchIds].map((id) => batchKey(owner, id));
  const items = await readItems(table, [...keys, ...batchKeys]);
  const found = items.map((item) =>
    item.type === 'batch' ? describeBatch(item) : describeJob(jobFromItem(item)),
  );
  return new Map(found.map((awaited) => [awaited.id, awaited]));
}

function describeJob(job: Job): Awaited {
  const { hpc, project } = accountOf(job);
  const { jobId: id, title, stage } = job;
  const key = jobKey(accountOf(job), id);
  const state = stateOf(job);
  const seen = state === 'active' ? { terminal: false } : { stage };
  return { id, hpc, project, key, title, stage, state, seen };
}

/** The attributes of a batch that tell how it stands. Batches know jobs, not the other way round. */
const BatchItem = v.object({
  PK: v.string(),
  SK: v.string(),
  batch_id: StoredBatchId,
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  title: v.string(),
  first_id: v.number(),
  count: v.number(),
  done: v.number(),
  failed: v.number(),
  cancelled: v.number(),
  discard: v.optional(v.string()),
});

function describeBatch(stored: unknown): Awaited {
  const item = parseItem(BatchItem, stored);
  const { PK, SK, batch_id: id, hpc, project_name: project, title } = item;
  const { done, failed, cancelled } = item;
  const state = stateOfBatch(item);
  const stage = state === 'active' ? 'running' : state;
  const jobs = { firstId: item.first_id, count: item.count };
  const seen = { done, failed, cancelled };
  return { id, hpc, project, key: { PK, SK }, title, stage, state, jobs, seen };
}

/** A batch has ended well if all of its jobs have. */
function stateOfBatch(batch: v.InferOutput<typeof BatchItem>): AwaitedState {
  const { count, done, failed, cancelled, discard } = batch;
  if (done + failed + cancelled < count) return 'active';
  if (discard === 'delete') return 'deleted';
  if (failed > 0) return 'failed';
  return cancelled > 0 ? 'cancelled' : 'succeeded';
}

function stateOf({ terminal, stage, failed }: Job): AwaitedState {
  if (!terminal) return 'active';
  if (stage === ownStages.canceled) return 'cancelled';
  if (stage === ownStages.deleted) return 'deleted';
  return failed ? 'failed' : 'succeeded';
}

/** Whether the wait for one job goes on, is over, or can never end well. */
export type Verdict = 'open' | 'met' | 'broken';

/** A missing job counts as deleted. What is deleted has no results. */
export function judgeAwaited(
  { anyEnd, givesInput }: Pick<Condition, 'anyEnd' | 'givesInput'>,
  state: AwaitedState = 'deleted',
): Verdict {
  if (state === 'active') return 'open';
  const isEnough = anyEnd && !(givesInput && state === 'deleted');
  return isEnough || state === 'succeeded' ? 'met' : 'broken';
}
