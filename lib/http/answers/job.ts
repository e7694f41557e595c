import * as v from 'valibot';
import { awaitedStates } from '#lib/jobs/chains/waits.ts';
import { MaintenanceWindow } from './catalog.ts';
import { Amount, count, systemInCapitals, timestamp, userId, whole } from './fields.ts';

/** Interface 2.2. */
export const Job = v.strictObject({
  end_date: v.nullable(timestamp),
  failed: v.boolean(),
  id: whole,
  init_date: timestamp,
  job_id: v.string(),
  owner: userId,
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  runtime: v.number(),
  stage: v.string(),
  terminal_stage: v.boolean(),
  title: v.string(),
  /** Only for a job of a batch: the batch, and the job's number in it. */
  batch: v.optional(v.string()),
  index: v.optional(count),
  /** What the owner is called, with `names=true`, where leaders and administrators ask. */
  owner_name: v.optional(v.string()),
});

/** What a job was granted besides nodes and cores, on systems that offer it. */
export const Resources = v.strictObject({
  /** On each node, if the job named them. */
  task_number: v.optional(count),
  /** `16 GB`, on each node. */
  memory: v.optional(v.string()),
  /** On each node. */
  gpu_number: v.optional(count),
  gpu_kind: v.optional(v.string()),
  class: v.optional(v.string()),
  image: v.optional(v.string()),
});

/** A file that a job fetches by itself. */
const FetchedInput = v.strictObject({
  from: v.string(),
  to: v.string(),
  sha256: v.optional(v.string()),
});

/** Files that a job sends by itself. */
const SentOutput = v.strictObject({ files: v.string(), to: v.string() });

/** What a job asked for, and was granted. */
const JobRequest = v.strictObject({
  /** One of both, depending on the system. */
  command: v.optional(v.string()),
  tool: v.optional(v.string()),
  node_number: count,
  core_number: count,
  ...Resources.entries,
  /** Fields that only some systems have. */
  fields: v.record(v.string(), v.string()),
  /** Files that the job fetches. */
  inputs: v.optional(v.array(FetchedInput)),
  /** Files that it sends. */
  outputs: v.optional(v.array(SentOutput)),
  /** The zip, or null for a job without input. */
  input: v.nullable(v.strictObject({ filename: v.string(), length: count })),
});

/** Interface 2.2, with the request if `expand=request` asks for it. Null for an imported job. */
export const JobWithRequest = v.strictObject({
  ...Job.entries,
  request: v.optional(v.nullable(JobRequest)),
});

/** How much of something a job used, of what it had asked for. */
const Share = v.strictObject({ used: v.number(), asked: v.number() });

const ChainedJob = v.strictObject({
  job_id: v.string(),
  hpc: v.string(),
  project_name: v.string(),
  title: v.string(),
  stage: v.string(),
});

export const Timeline = v.strictObject({
  job_id: v.string(),
  stage: v.string(),
  terminal_stage: v.boolean(),
  reason: v.nullable(v.string()),
  /** When the job was first seen running. */
  running_since: v.nullable(timestamp),
  /** How long an ended job ran by the clock, as it was charged. */
  ran_seconds: v.nullable(count),
  /**
   * Only for an ended job that ran: seconds by the clock, seconds of all cores together, and bytes
   * of memory at the moment of the most. The last two only if the system measures them.
   */
  efficiency: v.optional(
    v.strictObject({ time: Share, cpu: v.optional(Share), memory: v.optional(Share) }),
  ),
  resources: v.optional(Resources),
  stages: v.array(v.strictObject({ stage: v.string(), since: timestamp })),
  tries: v.array(
    v.strictObject({ at: timestamp, accepted: v.boolean(), reason: v.nullable(v.string()) }),
  ),
  /**
   * The runs of a job that its system started more than once, without the last one, which the rest
   * of the timeline is about. A run that the system lost for reasons of its own is charged only if
   * the catalog says so.
   */
  earlier_runs: v.optional(
    v.array(
      v.strictObject({
        run: count,
        began: v.nullable(timestamp),
        ended: v.nullable(timestamp),
        /** Without the time in which it was suspended. */
        seconds: count,
        lost: v.boolean(),
        reason: v.string(),
        /** How much it sent. Results of a later run replace it. */
        sent_bytes: v.nullable(count),
      }),
    ),
  ),
  /** What the job waits for, or waited for. */
  after: v.optional(
    v.array(
      v.strictObject({
        ...ChainedJob.entries,
        state: v.picklist(awaitedStates),
        /** Whether any end will do. */
        any_end: v.boolean(),
        /** Whether its results become the job's input. */
        gives_input: v.boolean(),
      }),
    ),
  ),
  /** The jobs that wait for this one, or did. */
  awaited_by: v.optional(
    v.array(
      v.strictObject({
        ...ChainedJob.entries,
        terminal_stage: v.boolean(),
        failed: v.boolean(),
      }),
    ),
  ),
});

export const Estimate = v.strictObject({
  accepted: v.literal(true),
  runtime: v.number(),
  held: Amount,
  left: Amount,
  living_jobs: count,
  max_living_jobs: count,
  /** The longest run of the caller's last jobs of this kind, and the longest time granted to them. */
  similar: v.optional(v.strictObject({ jobs: count, time: Share })),
  account: v.optional(v.string()),
  resources: v.optional(Resources),
  /** Only if the job would wait for it now. */
  maintenance: v.optional(MaintenanceWindow),
});

export const JobFile = v.strictObject({
  fileid: v.string(),
  filename: v.string(),
  length: count,
  /** How many bytes precede the first one, if only the end of the file is kept. */
  starts_at: v.optional(whole),
  /** True for a folder in the list of one folder. Its name ends in '/', and it has no `fileid`. */
  folder: v.optional(v.literal(true)),
});

/** The folder of a project that stays from job to job. */
export const ProjectFolder = v.strictObject({
  project_hpc: v.string(),
  project_name: v.string(),
  /** What its files have together, and how many they are. Null if no job has told yet. */
  length: v.nullable(count),
  files: v.nullable(count),
  measured: v.nullable(timestamp),
  /** How many bytes it may have. Beyond that, new jobs of the project are refused. */
  limit: count,
  full: v.boolean(),
  /** False if only jobs reach it: its files can be listed as the last job saw them, and no more. */
  in_reach: v.boolean(),
});

/** What became of a file that each job of a batch was to write. */
export const JobResult = v.strictObject({
  /** The job's place in the batch, from 0, and its index, which a job that is run again keeps. */
  place: count,
  index: count,
  job_id: v.string(),
  stage: v.string(),
  terminal_stage: v.boolean(),
  failed: v.boolean(),
  /**
   * `included`: the content is here. `apart`: fetch the file by its `fileid`. `missing`: the job has
   * no such file. `active`: the job has not ended. `unavailable`: it could not be read now.
   */
  state: v.picklist(['included', 'apart', 'missing', 'active', 'unavailable']),
  /** Only for a file that was found. */
  fileid: v.optional(v.string()),
  filename: v.optional(v.string()),
  length: v.optional(count),
  starts_at: v.optional(whole),
  /** Only for a file that is included: its content, as text if it is UTF-8. */
  encoding: v.optional(v.picklist(['utf-8', 'base64'])),
  content: v.optional(v.string()),
});

/** Whether somebody follows the running job. If so, it sends its output. */
export const Followed = v.strictObject({ followed: v.boolean() });

export const Upload = v.strictObject({
  upload_id: v.string(),
  filename: v.string(),
  length: whole,
  expires: timestamp,
  method: v.literal('PUT'),
  address: v.pipe(v.string(), v.url()),
  headers: v.record(v.string(), v.string()),
  part_length: v.optional(whole),
});

export const UploadProgress = v.strictObject({
  upload_id: v.string(),
  length: whole,
  complete: v.boolean(),
  expires: timestamp,
  parts: v.array(
    v.strictObject({
      number: whole,
      first: whole,
      length: whole,
      address: v.pipe(v.string(), v.url()),
      headers: v.record(v.string(), v.string()),
    }),
  ),
});
