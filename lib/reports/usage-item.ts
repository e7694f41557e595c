import * as v from 'valibot';
import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import { type Durations, noDurations } from './durations.ts';
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
});

/**
 * Adds to a sum, which need not be there before. Where `whole`, also the buckets that nothing is
 * added to are written, so that the item is as large after the first end as after the millionth:
 * what a report reads then depends on nothing but whom it is about.
 */
export function addToSum(key: PrimaryKey, scope: SumScope, usage: UsageSum, whole: boolean): Step {
  const { user, hpc, project, time } = scope;
  const set = { type: 'usage-sum', schema_version: 1, user, hpc, project_name: project, time };
  const { waited, ran, ...counts } = usage;
  const add = { ...counts, ...name('w', waited, whole), ...name('r', ran, whole) };
  const told = Object.entries(set).filter(([, value]) => value !== undefined);
  const all = [...told, ...Object.entries(add)];
  return {
    write: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: key,
        UpdateExpression:
          `SET ${told.map(([each]) => `#${each} = :${each}`).join(', ')} ` +
          `ADD ${Object.keys(add)
            .map((each) => `#${each} :${each}`)
            .join(', ')}`,
        ExpressionAttributeNames: Object.fromEntries(all.map(([each]) => [`#${each}`, each])),
        ExpressionAttributeValues: Object.fromEntries(
          all.map(([each, value]) => [`:${each}`, value]),
        ),
      },
    }),
    refuse: () => new Error('A sum takes whatever is added to it.'),
  };
}

export function sumFromItem(stored: Readonly<Record<string, unknown>>): StoredSum {
  const item = parseItem(UsageItem, stored);
  const { user, hpc, project_name: project, time, used, jobs, failed, cancelled } = item;
  const [waited, ran] = [read('w', stored), read('r', stored)];
  return { user, hpc, project, time, usage: { used, jobs, failed, cancelled, waited, ran } };
}

/** Each bucket is an attribute of its own, `w12` or `r12`: nothing else can be added to as it is. */
function name(prefix: 'w' | 'r', durations: Durations, whole: boolean): Record<string, number> {
  const named = durations.map((count, bucket): [string, number] => [`${prefix}${bucket}`, count]);
  return Object.fromEntries(named.filter(([, count]) => whole || count > 0));
}

function read(prefix: 'w' | 'r', item: Readonly<Record<string, unknown>>): Durations {
  return noDurations.map((_, bucket) => Number(item[`${prefix}${bucket}`] ?? 0));
}
