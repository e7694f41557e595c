import * as v from 'valibot';
import { jobIndexKeys, jobKey, jobRequestKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import {
  StoredJobId,
  StoredProjectName,
  StoredSystemName,
  StoredUserId,
} from '#lib/table/stored-names.ts';
import { accountOf, type Job, type JobRequest } from './job.ts';
import type { PlacedInput } from './submit/place-input.ts';
import type { Submission } from './submit/submission.ts';

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
  } satisfies v.InferInput<typeof JobItem>;
}

const RequestItem = v.object({
  type: v.literal('job-request'),
  schema_version: v.literal(1),
  program: v.string(),
  nodes: v.number(),
  cores_per_node: v.number(),
  extras: v.record(v.string(), v.string()),
  input_file: v.optional(v.string(), ''),
  input_key: v.optional(v.string()),
});

export function requestFromItem(stored: unknown): JobRequest {
  const item = parseItem(RequestItem, stored);
  return {
    program: item.program,
    nodes: item.nodes,
    coresPerNode: item.cores_per_node,
    extras: item.extras,
    ...(item.input_key !== undefined && {
      input: { fileName: item.input_file, key: item.input_key },
    }),
  };
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
  };
}

/**
 * What the job was asked to run, beside the job and not in it: a command of 4,096 characters would
 * make every read, list and stage change of the job cost several times its worth.
 */
export function requestToItem(job: Job, submission: Submission, input: PlacedInput) {
  return {
    ...jobRequestKey(accountOf(job), job.jobId),
    type: 'job-request',
    schema_version: 1,
    program: submission.program,
    nodes: submission.nodes,
    cores_per_node: submission.coresPerNode,
    extras: submission.extras,
    input_file: submission.input.fileName,
    input_bytes: input.bytes,
    input_sha256: input.sha256,
    input_key: input.key,
  };
}
