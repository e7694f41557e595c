import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Period } from './period.ts';
import type { UsageSum } from './usage-sum.ts';

export const dimensions = ['user', 'project', 'system', 'day', 'month'] as const;

export type Dimension = (typeof dimensions)[number];

/** The usage to report, and how to group it. */
export interface Report {
  readonly by: readonly Dimension[];
  readonly period: Period;
  readonly user?: UserId | undefined;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
}

/** The names of a row, as far as its report groups by them. */
export interface RowNames {
  readonly user?: UserId;
  readonly hpc?: SystemName;
  readonly project?: ProjectName;
  readonly day?: string;
  readonly month?: string;
}

export interface ReportRow {
  readonly names: RowNames;
  readonly usage: UsageSum;
}

/**
 * Returns true if a report can be grouped by all of these: one thing, a thing and a time, or users
 * and where they used it.
 */
export function fitTogether(by: readonly Dimension[]): boolean {
  const named = (some: readonly Dimension[]) => by.filter((each) => some.includes(each)).length;
  return (
    by.length > 0 &&
    by.length <= 2 &&
    named(['user']) <= 1 &&
    named(['project', 'system']) <= 1 &&
    named(['day', 'month']) <= 1
  );
}
