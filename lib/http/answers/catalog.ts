import * as v from 'valibot';
import { windowSources } from '#lib/systems/maintenance.ts';
import { charging, count, systemInCapitals, timestamp, userId, whole } from './fields.ts';
import { Renewal } from './quota.ts';

const Machine = v.strictObject({
  /** The cores that the jobs of the system share. */
  cores: count,
  memory_megabytes: count,
  /** Says in words which limits hold for memory and processes. */
  limits: v.string(),
  /** False if jobs run as the service itself, with all that it may read and write. */
  sandboxed: v.boolean(),
  /** Only for a system of tools. A tool is not available if its program is not installed. */
  tools: v.optional(v.array(v.strictObject({ name: v.string(), available: v.boolean() }))),
});

const Environment = v.strictObject({
  /** `login` if the profile of the account is read first, which mostly defines `module`. */
  shell: v.picklist(['login', 'plain']),
  /** Lines of bash that run before each command. */
  setup: v.array(v.string()),
});

/** What the cores of a job are: a task each, threads of one task on each node, or as the job says. */
const coresAs = v.optional(v.picklist(['tasks', 'threads', 'choice']));

/** The hours that are charged for an hour of each resource, added up or the highest alone. */
const Weights = v.strictObject({
  per: v.strictObject({ core: v.number(), gpu: v.number(), memory_gb: v.number() }),
  rule: v.picklist(['sum', 'max']),
});

const JobClass = v.strictObject({
  name: v.string(),
  description: v.optional(v.string()),
  /** The projects that may use it. Missing if all may. */
  projects: v.optional(v.array(v.string())),
  /** Lines of bash that run before each command, after those of the system. */
  setup: v.optional(v.array(v.string())),
  /** Only on systems that start tasks. */
  cores_as: coresAs,
  limits: v.strictObject({
    node_number: whole,
    core_number: whole,
    runtime: v.number(),
    memory: v.optional(v.string()),
    gpu_number: v.optional(whole),
  }),
  /** Only with `weights` as charging of the system. */
  weights: v.optional(Weights),
  /** How much more time is charged than the system says. */
  charging_factor: v.number(),
});

const Dataset = v.strictObject({
  name: v.string(),
  /** Where it is on the system. Jobs find it in SLIPWAY_DATASET_<NAME>, too. */
  path: v.string(),
  description: v.string(),
  bytes: v.optional(count),
  licence: v.optional(v.string()),
  /** The projects that may use it. Missing if all may. */
  projects: v.optional(v.array(v.string())),
});

/** From where jobs may fetch files, or where they may send some, and whether the time is charged. */
const Addressees = v.strictObject({
  hosts: v.array(v.string()),
  /** Each as the beginning of addresses: `s3://lab-data/public/*`. */
  buckets: v.optional(v.array(v.string())),
  paid_by: v.picklist(['site', 'user']),
});

const Containers = v.strictObject({
  /** What runs the images; `batch` where each job is a container anyway. */
  runtime: v.picklist(['apptainer', 'podman', 'docker', 'batch']),
  /** Which images jobs may name: `*` stands for anything but a slash, `**` for anything. */
  images: v.array(v.string()),
});

/** A time in which a system takes no jobs. */
export const MaintenanceWindow = v.strictObject({
  name: v.string(),
  from: timestamp,
  /** Null until somebody resumes the system. */
  until: v.nullable(timestamp),
  reason: v.string(),
  /** Whether jobs are held back that would not be over before. */
  drain: v.boolean(),
  /** `slurm` for a maintenance reservation of the cluster, before which Slurm holds jobs back itself. */
  source: v.picklist(windowSources),
});

const maintenance = v.optional(v.array(MaintenanceWindow));

export const System = v.strictObject({
  name: v.string(),
  project_hpc: systemInCapitals,
  description: v.string(),
  /** What users should know now, such as the next maintenance. Missing if there is nothing. */
  announcement: v.optional(v.string()),
  /** The present and coming maintenance, by its beginning. Missing if there is none. */
  maintenance,
  projects: v.array(v.string()),
  default_project: v.string(),
  payload: v.strictObject({ required: v.array(v.string()), optional: v.array(v.string()) }),
  limits: v.strictObject({
    node_number: whole,
    core_number: whole,
    runtime: v.number(),
    /** `256 GB`, on each node. Only if jobs can ask for memory. */
    memory: v.optional(v.string()),
    /** On each node. Only if jobs can ask for GPUs. */
    gpu_number: v.optional(whole),
  }),
  charging,
  /** Only with `weights` as charging. */
  weights: v.optional(Weights),
  gpu_kinds: v.optional(v.array(v.string())),
  /** Only if the jobs of the system have classes. The first is the default. */
  classes: v.optional(v.array(JobClass)),
  /** Data that is on the system already. */
  datasets: v.optional(v.array(Dataset)),
  /** Each project has a folder that stays from job to job, with at most so many bytes. Missing if none has. */
  keep: v.optional(v.strictObject({ limit: count, projects: v.optional(v.array(v.string())) })),
  /** From where inputs are fetched, and by whom. Missing if from nowhere. */
  inputs: v.optional(
    v.strictObject({
      ...Addressees.entries,
      /** The job does it, or the service before the hand-over. */
      fetched_by: v.picklist(['job', 'service']),
    }),
  ),
  /** Where jobs may send outputs. Missing if nowhere. */
  outputs: v.optional(Addressees),
  /** Only if jobs can run in images. */
  containers: v.optional(Containers),
  /** True if jobs only keep time, and nothing is run. */
  simulated: v.boolean(),
  /** Only for a system whose jobs run on the machine of the service itself. */
  machine: v.optional(Machine),
  /** Only for a system that starts tasks. A class may differ. */
  cores_as: coresAs,
  /** Only for a system that starts commands in a shell. */
  environment: v.optional(Environment),
  /** Whether output can be read while a job runs. */
  live_output: v.boolean(),
  /** Whether output survives a cancel. */
  cancel_keeps_output: v.boolean(),
  stages: v.array(v.string()),
  /** What each of these words means, for people who do not know the system. */
  stage_meanings: v.record(
    v.string(),
    v.picklist([
      'waiting',
      'starting',
      'running',
      'finishing',
      'done',
      'failed',
      'cancelled',
      'deleted',
    ]),
  ),
});

export const Project = v.strictObject({
  id: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  default: v.boolean(),
  max_living_jobs: count,
  /** Only for projects that were opened at run time. */
  description: v.optional(v.string()),
  closed: v.optional(v.boolean()),
  /** Only for projects whose members draw from the budget directly. */
  shared: v.optional(v.literal(true)),
  /** Only for projects whose members have a group of the identity provider. */
  members: v.optional(v.strictObject({ group: v.string() })),
});

const budgetBalance = (amount: v.GenericSchema<number>) =>
  v.strictObject({
    granted: amount,
    left: amount,
    held: amount,
    used: amount,
    /** The part of `used` that was shared out to members. */
    shared_out: amount,
  });

/** A project as its leaders see it. */
export const LedProject = v.strictObject({
  project: whole,
  project_hpc: systemInCapitals,
  project_name: v.string(),
  leaders: v.array(userId),
  /** What leaders are called, with `names=true`, for leaders and administrators. */
  leader_names: v.optional(v.record(v.string(), v.string())),
  /** Null for a project without a budget. */
  budget: v.nullable(
    v.strictObject({
      time: budgetBalance(whole),
      space: budgetBalance(v.number()),
      living_jobs: count,
      valid_until: v.nullable(timestamp),
      renews: v.nullable(Renewal),
    }),
  ),
});

const systemStatus = v.picklist(['up', 'down', 'unknown', 'closed']);

export const Status = v.strictObject({
  status: v.literal('up'),
  /** The version, with the commit of the build if it is known. */
  version: v.string(),
  systems: v.array(
    v.strictObject({
      name: v.string(),
      project_hpc: systemInCapitals,
      /** `closed` during a maintenance, in which submissions are accepted and wait. */
      status: systemStatus,
      /** Only for a closed system: until when, null until somebody resumes it. */
      closed_until: v.optional(v.nullable(timestamp)),
    }),
  ),
});

/** Where users of this service sign in (RFC 9728), with a member of our own for the command. */
export const ProtectedResource = v.strictObject({
  resource: v.string(),
  /** Missing on a laptop, which signs users in itself. */
  authorization_servers: v.optional(v.array(v.string())),
  scopes_supported: v.optional(v.array(v.string())),
  bearer_methods_supported: v.array(v.literal('header')),
  resource_documentation: v.string(),
  slipway_sign_in: v.variant('kind', [
    v.strictObject({ kind: v.literal('local') }),
    v.strictObject({
      kind: v.literal('issuer'),
      /** The public client of the command. Missing if the operator has named none. */
      client_id: v.optional(v.string()),
      scope: v.string(),
      /** Sent if the issuer needs it. */
      audience: v.optional(v.string()),
      /** The issuer's token that the service accepts. */
      token: v.picklist(['access_token', 'id_token']),
      /** How redirects name the machine of a user, if the issuer does not take its address. */
      redirect_host: v.optional(v.literal('localhost')),
    }),
  ]),
});

/** A system as administrators see it. */
export const SystemReport = v.strictObject({
  name: v.string(),
  project_hpc: systemInCapitals,
  status: systemStatus,
  maintenance,
  /** When a health check was last answered. */
  last_contact: v.nullable(timestamp),
  failing_since: v.nullable(timestamp),
  breaker: v.strictObject({
    state: v.picklist(['closed', 'open', 'trial']),
    failures: count,
    open_until: v.nullable(timestamp),
  }),
  last_error: v.nullable(v.strictObject({ at: timestamp, reason: v.string() })),
  /** Only if asked for: the last days in UTC, the oldest first, today included. */
  history: v.optional(
    v.array(
      v.strictObject({
        day: v.string(),
        /** The minutes in which the health check was answered within a second. */
        up: count,
        /** The minutes in which it was answered later. */
        slow: count,
        /** The minutes in which it was not answered, or not made because the breaker was open. */
        down: count,
      }),
    ),
  ),
  /** Only for AWS Batch: what this month's jobs cost, in US dollars. All such systems share it. */
  spending: v.optional(
    v.strictObject({
      /** `used` and `held` together. */
      estimate: v.number(),
      /** What the jobs that ended this month cost. */
      used: v.number(),
      /** The most that active jobs can cost. */
      held: v.number(),
      /** Null without a limit. */
      budget: v.nullable(v.number()),
      /** When the next month begins. */
      opens_at: timestamp,
    }),
  ),
});
