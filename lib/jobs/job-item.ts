import * as v from 'valibot';
import { jobIndexKeys, jobKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import { accountOf, type Job } from './job.ts';

const JobItem = v.object({
  type: v.literal('job'),
  schema_version: v.literal(1),
  id: v.number(),
  job_id: StoredJobId,
  owner: StoredUserId,
  project: v.number(),
  hpc: StoredSystemName,
  project_name: StoredProjectName,
  title: v.string(),
  runtime: v.number(),
  stage: v.string(),
  terminal: v.boolean(),
  failed: v.boolean(),
  init_date: v.string(),
  end_date: v.nullable(v.string()),
  held_seconds: v.number(),
  held_kilobytes: v.number(),
  awaits_settlement: v.optional(v.boolean()),
});

export function jobToItem(job: Job) {
  const account = accountOf(job);
  return {
    ...jobKey(account, job.jobId),
    ...jobIndexKeys(account, job.id),
    ...describeJob(job),
  };
}

/** The job without its keys: also what an Idempotency-Key remembers of its answer. */
export function describeJob(job: Job) {
  return {
    type: 'job',
    schema_version: 1,
    id: job.id,
    job_id: job.jobId,
    owner: job.owner,
    project: job.project.number,
    hpc: job.project.hpc,
    project_name: job.project.name,
    title: job.title,
    runtime: job.runtime,
    stage: job.stage,
    terminal: job.terminal,
    failed: job.failed,
    init_date: job.submittedAt.toISOString(),
    end_date: job.endedAt?.toISOString() ?? null,
    held_seconds: job.hold.seconds,
    held_kilobytes: job.hold.kilobytes,
    ...(job.awaitsSettlement && { awaits_settlement: true }),
  } satisfies v.InferInput<typeof JobItem>;
}

export function jobFromItem(stored: unknown): Job {
  const item = parseItem(JobItem, stored);
  return {
    id: item.id,
    jobId: item.job_id,
    owner: item.owner,
    project: { number: item.project, hpc: item.hpc, name: item.project_name },
    title: item.title,
    runtime: item.runtime,
    stage: item.stage,
    terminal: item.terminal,
    failed: item.failed,
    submittedAt: new Date(item.init_date),
    endedAt: item.end_date === null ? null : new Date(item.end_date),
    hold: { seconds: item.held_seconds, kilobytes: item.held_kilobytes },
    ...(item.awaits_settlement && { awaitsSettlement: true }),
  };
}
