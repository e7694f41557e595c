import * as v from 'valibot';
import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { attribute, defineItem, group, number, optional, text } from '#lib/table/define-item.ts';
import type { PrimaryKey } from '#lib/table/keys.ts';
import { projectKeyFields, userField } from '#lib/table/named-fields.ts';
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

const durations = (name: string) =>
  attribute(name, v.pipe(v.string(), v.transform(readDurations)), writeDurations);

const storedSum = defineItem('usage-sum', () => ({
  user: optional(userField()),
  ...projectKeyFields(),
  time: text('time'),
  usage: group({
    used: number('used'),
    asked: optional(number('asked')),
    jobs: number('jobs'),
    failed: number('failed'),
    cancelled: number('cancelled'),
    waited: durations('waited'),
    ran: durations('ran'),
  }),
}));

export function sumToItem(key: PrimaryKey, sum: StoredSum) {
  return { ...key, ...storedSum.format(sum) };
}

export const sumFromItem: (stored: unknown) => StoredSum = storedSum.parse;
