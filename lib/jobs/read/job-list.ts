import type { JobId, ProjectName, SystemName, UserId } from '#lib/catalog/identifiers.ts';

export interface JobList extends AllJobsList {
  readonly owner: UserId;
}

/** Selects and orders everybody's jobs, or those of one owner. */
export interface AllJobsList {
  readonly owner?: UserId | undefined;
  readonly hpc?: SystemName | undefined;
  readonly project?: ProjectName | undefined;
  /** Limits the list to this job. */
  readonly jobId?: JobId | undefined;
  /** Limits the list to these ids, both included. */
  readonly ids?: { readonly first: number; readonly last: number } | undefined;
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
