import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';

/** Which of a caller's jobs, and in which order. */
export interface JobList extends AllJobsList {
  readonly owner: UserId;
}

/** Which of everybody's jobs; with an owner, of that user's. */
export interface AllJobsList {
  readonly owner?: UserId | undefined;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
  /** The one job that is meant, if it is among them. */
  readonly jobId?: JobId | undefined;
  readonly order: 'asc' | 'desc';
  readonly filter: JobFilter;
}

export interface JobFilter {
  readonly stage?: string | undefined;
  readonly terminal?: boolean | undefined;
  readonly failed?: boolean | undefined;
  readonly titleContains?: string | undefined;
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
}

export function isFiltered(filter: JobFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}
