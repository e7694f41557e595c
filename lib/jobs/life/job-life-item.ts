import * as v from 'valibot';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, handOverDueKeys, jobLifeKey, jobRegistryKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import { accountOf, type Job } from '../job.ts';
import { beginLife, type HandOver, type JobLife, type StageMoment } from './job-life.ts';

/**
 * Beside the job and not in it: a job is in four indexes, and every look at it would be written to
 * each of them.
 */
const LifeItem = v.object({
  type: v.literal('job-life'),
  schema_version: v.literal(1),
  owner: StoredUserId,
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  job_id: StoredJobId,
  login: v.optional(v.string()),
  handle: v.optional(v.string()),
  due_at: v.optional(v.string()),
  attempts: v.number(),
  trying_since: v.optional(v.string()),
  cut_offs: v.optional(v.number(), 0),
  running_since: v.optional(v.string()),
  ran_seconds: v.optional(v.number()),
  unknown_since: v.optional(v.string()),
  command: v.optional(v.object({ seconds_before: v.number(), ended_at: v.string() })),
  system_counts: v.optional(v.boolean(), false),
  cancel_pending: v.optional(v.boolean(), false),
  reason: v.optional(v.string()),
  stages: v.array(v.object({ stage: v.string(), at: v.string() })),
  tries: v.array(v.object({ at: v.string(), reason: v.optional(v.string()) })),
});

/** A new life, due at once; of a job that is brought in ended, one with nothing left to do. */
export function newLifeToItem(job: Job, login?: string) {
  const account = accountOf(job);
  const life = beginLife(job, login);
  return {
    ...jobLifeKey(account, job.jobId),
    ...jobRegistryKeys(job.jobId),
    ...(job.terminal ? {} : handOverDueKeys(account, job.id, job.submittedAt.toISOString())),
    type: 'job-life',
    schema_version: 1,
    owner: job.owner,
    hpc: job.project.hpc,
    project_name: job.project.name,
    job_id: job.jobId,
    ...(life.login !== undefined && { login: life.login }),
    attempts: life.takeUps,
    stages: stagesToItem(life.stages),
    tries: handOversToItem(life.handOvers),
  } satisfies v.InferInput<typeof LifeItem> & ReturnType<typeof jobLifeKey>;
}

export function lifeFromItem(stored: unknown): JobLife {
  const item = parseItem(LifeItem, stored);
  return {
    login: item.login,
    handle: item.handle,
    dueAt: dateOf(item.due_at),
    takeUps: item.attempts,
    tryingSince: dateOf(item.trying_since),
    cutOffs: item.cut_offs,
    runningSince: dateOf(item.running_since),
    ranSeconds: item.ran_seconds,
    unknownSince: dateOf(item.unknown_since),
    commandTimes: item.command && {
      secondsBefore: item.command.seconds_before,
      endedAt: new Date(item.command.ended_at),
    },
    systemCounts: item.system_counts,
    cancelPending: item.cancel_pending,
    reason: item.reason,
    stages: item.stages.map(({ stage, at }) => ({ stage, at: new Date(at) })),
    handOvers: item.tries.map(({ at, reason }) => ({
      at: new Date(at),
      ...(reason !== undefined && { reason }),
    })),
  };
}

/** Which job the life is of. */
export function identifyJob(stored: unknown): { account: AccountKey; jobId: JobId } {
  const { owner: user, hpc, project_name: project, job_id: jobId } = parseItem(LifeItem, stored);
  return { account: { user, hpc, project }, jobId };
}

export function stagesToItem(stages: readonly StageMoment[]) {
  return stages.map(({ stage, at }) => ({ stage, at: at.toISOString() }));
}

export function handOversToItem(handOvers: readonly HandOver[]) {
  return handOvers.map(({ at, ...why }) => ({ at: at.toISOString(), ...why }));
}

function dateOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

export function isDueLife(stored: unknown, now: Date): boolean {
  const due = v.safeParse(v.object({ type: v.literal('job-life'), due_at: v.string() }), stored);
  return due.success && due.output.due_at <= now.toISOString();
}
