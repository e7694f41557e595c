import * as v from 'valibot';
import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import { readDurations, writeDurations } from './durations.ts';
import type { UsageSum } from './usage-sum.ts';

/** Whose usage a sum is of, and when. */
export interface SumScope {
  /** Nothing where it is everybody's in the project. */
  readonly user?: UserId | undefined;
  readonly hpc: SystemName;
  readonly project: ProjectName;
  /** A day or a month. */
  readonly time: string;
}

export interface StoredSum extends SumScope {
  readonly usage: UsageSum;
}

const storedDurations = v.pipe(v.string(), v.transform(readDurations));

const UsageItem = v.object({
  type: v.literal('usage-sum'),
  schema_version: v.literal(1),
  user: v.optional(StoredUserId),
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  time: v.string(),
  used: v.number(),
  jobs: v.number(),
  failed: v.number(),
  cancelled: v.number(),
  waited: storedDurations,
  ran: storedDurations,
});

export function sumToItem(key: PrimaryKey, { user, hpc, project, time, usage }: StoredSum) {
  return {
    ...key,
    type: 'usage-sum',
    schema_version: 1,
    ...(user !== undefined && { user }),
    hpc,
    project_name: project,
    time,
    ...usage,
    waited: writeDurations(usage.waited),
    ran: writeDurations(usage.ran),
  } satisfies v.InferInput<typeof UsageItem> & PrimaryKey;
}

export function sumFromItem(stored: unknown): StoredSum {
  const { user, hpc, project_name: project, time, ...item } = parseItem(UsageItem, stored);
  const { used, jobs, failed, cancelled, waited, ran } = item;
  return { user, hpc, project, time, usage: { used, jobs, failed, cancelled, waited, ran } };
}
