import type { ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';
import type { Period } from './period.ts';
import type { UsageSum } from './usage-sum.ts';

/** What the rows of a report can be by. */
export const dimensions = ['user', 'project', 'system', 'day', 'month'] as const;

export type Dimension = (typeof dimensions)[number];

/** Which usage, and what it is summed up by. */
export interface Report {
  readonly by: readonly Dimension[];
  readonly period: Period;
  readonly user?: UserId | undefined;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
}

/** What a row is of, as far as its report goes by it. */
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

export interface ReportPage {
  readonly rows: readonly ReportRow[];
  /** The user or the project behind which the report goes on, where it does. */
  readonly next: string | undefined;
}

/** Whether rows can be by these at once: one thing, a thing and a time, or users and where. */
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
