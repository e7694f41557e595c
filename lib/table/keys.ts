/**
 * Every key of the single table, and nothing else builds one.
 *
 * | access                                   | how                                                        |
 * |------------------------------------------|------------------------------------------------------------|
 * | one job of a caller                      | PK USER#<owner>, SK JOB#<hpc>#<project>#<job_id>           |
 * | what a job was asked to run              | PK USER#<owner>, SK REQUEST#<hpc>#<project>#<job_id>       |
 * | all jobs of a caller, by id              | local index jobs_by_id: <id>                               |
 * | the same on one system                   | local index jobs_by_system: <hpc>#<id>                     |
 * | the same in one project                  | local index jobs_by_project: <hpc>#<project>#<id>          |
 * | quotas of a user                         | PK USER#<user>, SK QUOTA#<hpc>#<project>                   |
 * | profile of a user                        | PK USER#<user>, SK PROFILE                                 |
 * | Idempotency-Key of a user                | PK USER#<user>, SK IDEMPOTENCY#<key>; expires_at (TTL)     |
 * | ledger of a quota, by time               | PK LEDGER#<user>#<hpc>#<project>, SK <time>#<cause>        |
 * | living jobs due for dispatch or a look   | global index due: DUE#<hpc>#<shard>, by due_at; sparse     |
 * | everybody's jobs of a project, by id     | global index project_jobs: <hpc>#<project>, by id          |
 * | what was last seen of a system           | PK SYSTEM#<hpc>, SK HEALTH                                 |
 * | what the simulators run                  | PK SIMULATOR#<hpc>, SK <job_id>                            |
 * | record numbers                           | PK COUNTER#<name>, SK COUNTER                              |
 *
 * No part can hold a '#': names come from the catalog, users are digits, job ids are [A-Z0-9_-].
 * The one free text, the idempotency key, stands last.
 */

export interface PrimaryKey {
  readonly PK: string;
  readonly SK: string;
}

export interface JobPlace {
  readonly owner: string;
  readonly hpc: string;
  readonly project: string;
}

/** Ids sort as text, so they are padded: 16 digits hold every integer that a double holds exactly. */
const idDigits = 16;

/** Living jobs spread over this many partitions per system, so that no sweep reads one hot key. */
const dueShards = 4;

/** The kinds of partitions, as patterns for the conditions of a role. */
export const partitionPatterns = {
  users: 'USER#*',
  ledgers: 'LEDGER#*',
  counters: 'COUNTER#*',
  due: 'DUE#*',
  simulators: 'SIMULATOR#*',
  systems: 'SYSTEM#*',
} as const;

export type PartitionKind = keyof typeof partitionPatterns;

export function userPartition(user: string): string {
  return `USER#${user}`;
}

export function jobKey({ owner, hpc, project }: JobPlace, jobId: string): PrimaryKey {
  return { PK: userPartition(owner), SK: `JOB#${hpc}#${project}#${jobId}` };
}

export function jobRequestKey({ owner, hpc, project }: JobPlace, jobId: string): PrimaryKey {
  return { PK: userPartition(owner), SK: `REQUEST#${hpc}#${project}#${jobId}` };
}

export function jobIndexKeys({ hpc, project }: JobPlace, id: number) {
  return {
    jobs_by_id: padId(id),
    jobs_by_system: `${hpc}#${padId(id)}`,
    jobs_by_project: `${hpc}#${project}#${padId(id)}`,
    project_jobs: `${hpc}#${project}`,
  };
}

export function dueKeys({ hpc }: JobPlace, id: number, dueAt: string) {
  return { due: dueShard(hpc, id % dueShards), due_at: dueAt };
}

/** All partitions of a system's living jobs. */
export function listDueShards(hpc: string): string[] {
  return Array.from({ length: dueShards }, (_, shard) => dueShard(hpc, shard));
}

export type JobIndex = 'jobs_by_id' | 'jobs_by_system' | 'jobs_by_project';

/** The index that serves a list, and the range of its sort keys between two ids, both included. */
export function jobListRange(
  place: { readonly hpc?: string | undefined; readonly project?: string | undefined },
  first: number,
  last: number,
): { index: JobIndex; from: string; to: string } {
  const index: JobIndex =
    place.project === undefined
      ? place.hpc === undefined
        ? 'jobs_by_id'
        : 'jobs_by_system'
      : 'jobs_by_project';
  const prefix = [place.hpc, place.project].flatMap((part) =>
    part === undefined ? [] : [part, '#'],
  );
  return {
    index,
    from: [...prefix, padId(first)].join(''),
    to: [...prefix, padId(last)].join(''),
  };
}

/** Every job index ends its sort key with the id. */
export function idOfIndexKey(sortKey: unknown): number | undefined {
  return typeof sortKey === 'string'
    ? Number(sortKey.slice(sortKey.lastIndexOf('#') + 1))
    : undefined;
}

export const firstId = 1;
export const lastId = Number.MAX_SAFE_INTEGER;

export function quotaKey(user: string, hpc: string, project: string): PrimaryKey {
  return { PK: userPartition(user), SK: `${quotaPrefix(hpc)}${project}` };
}

/** Quotas of one system, or of all. */
export function quotaPrefix(hpc?: string): string {
  return hpc === undefined ? 'QUOTA#' : `QUOTA#${hpc}#`;
}

export function profileKey(user: string): PrimaryKey {
  return { PK: userPartition(user), SK: 'PROFILE' };
}

export function idempotencyKey(user: string, key: string): PrimaryKey {
  return { PK: userPartition(user), SK: `IDEMPOTENCY#${key}` };
}

export function ledgerKey(
  quota: { readonly user: string; readonly hpc: string; readonly project: string },
  at: Date,
  cause: string,
): PrimaryKey {
  return {
    PK: `LEDGER#${quota.user}#${quota.hpc}#${quota.project}`,
    SK: `${at.toISOString()}#${cause}`,
  };
}

export function systemHealthKey(hpc: string): PrimaryKey {
  return { PK: `SYSTEM#${hpc}`, SK: 'HEALTH' };
}

export function simulatorKey(hpc: string, jobId: string): PrimaryKey {
  return { PK: `SIMULATOR#${hpc}`, SK: jobId };
}

export function counterKey(name: CounterName): PrimaryKey {
  return { PK: `COUNTER#${name}`, SK: 'COUNTER' };
}

export type CounterName = 'job' | 'quota';

function dueShard(hpc: string, shard: number): string {
  return `DUE#${hpc}#${shard}`;
}

function padId(id: number): string {
  return String(id).padStart(idDigits, '0');
}
