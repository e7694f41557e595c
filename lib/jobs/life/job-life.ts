import * as v from 'valibot';
import type { JobTag } from '#lib/hpc/connector.ts';
import {
  attribute,
  defineItem,
  flag,
  group,
  list,
  map,
  moment,
  number,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { dueKeys, handOversOf, jobLifeKey, jobRegistryKeys } from '#lib/table/keys.ts';
import { jobIdField, projectKeyFields, userField } from '#lib/table/named-fields.ts';
import { StoredAwaitedId } from '#lib/table/stored-names.ts';
import { laterOf } from '#lib/time/order.ts';
import { accountOf, type Job } from '../job.ts';

/**
 * A job's way through its HPC system, internal to Slipway except for the timeline. It is an item
 * beside the job, because a job is in four indexes, and every check would be written to each of
 * them.
 */
export const storedLife = defineItem('job-life', () => ({
  account: group({ user: userField('owner'), ...projectKeyFields() }),
  jobId: jobIdField(),
  /** The account that the job runs as on its system, if not the service's own. */
  login: optional(text('login')),
  /**
   * Set for a job of a batch on a system that has arrays. Jobs with the same name can be handed
   * over as one array, of which this job is one task.
   */
  array: optional(
    map('array', {
      name: text('name'),
      task: number('task'),
      /** How many tasks may run at once. */
      atOnce: optional(number('at_once')),
    }),
  ),
  /** Set until all that the job waits for has ended or is there. It is not handed over before. */
  waiting: sparse(flag('waiting'), false),
  /** The jobs and batches that the job waits for, or waited for. */
  after: optional(
    list('after', {
      id: attribute('id', StoredAwaitedId),
      ...projectKeyFields(),
      /**
       * True if any end will do. Otherwise the job runs only if this one ended well. Of a batch that
       * gives the input, only the jobs that ended well count then.
       */
      anyEnd: sparse(flag('any_end'), false),
      /** True if its results become the job's input. */
      givesInput: sparse(flag('gives_input'), false),
    }),
  ),
  /** The folder for the results that become the input. Without it they are in no folder. */
  inputFolder: optional(text('input_folder')),
  /** True if the service fetches files for the job, which waits for them. */
  serviceFetches: sparse(flag('service_fetches'), false),
  /** Since when somebody puts the input together, until `dueAt` at most. */
  takingOverSince: optional(moment('taking_over_since')),
  /** How often somebody has begun to do so without coming to an end. */
  takeOvers: sparse(number('take_overs'), 0),
  /** The system's own name for the job, once it has been handed over. */
  handle: optional(text('handle')),
  /** When the job needs attention again, or when a lease on it expires. Missing once it is over. */
  dueAt: optional(moment('due_at')),
  /**
   * True from the end of a wait, for its turn in a batch or for other jobs, until the hand-over, or
   * until somebody fetches its files.
   */
  released: optional(attribute('released', v.literal(true))),
  /** Set while the job is held back for a maintenance of its system. */
  held: optional(attribute('held', v.literal(true))),
  /** How often the job was claimed. From the second time on, the system may already have it. */
  claims: number('attempts'),
  /** Start of the hand-over that has not ended. It is under way, or was cut off. */
  tryingSince: optional(moment('trying_since')),
  /** How many hand-overs in a row were cut off, not counting one that has not ended. */
  cutOffs: sparse(number('cut_offs'), 0),
  /** When the job was first seen running. */
  runningSince: optional(moment('running_since')),
  /** What the system measured of an ended job, and how much of it the job had. */
  measured: optional(
    map('measured', {
      cpuSeconds: optional(number('cpu_seconds')),
      cores: optional(number('cores')),
      memoryBytes: optional(number('memory_bytes')),
      memoryLimitBytes: optional(number('memory_limit_bytes')),
    }),
  ),
  /** Since when the system says that it does not know the job. */
  unknownSince: optional(moment('unknown_since')),
  /** How often the system has said so since then. */
  unknownChecks: sparse(number('unknown_checks'), 0),
  /**
   * Times of the command, told by a job that had to wait for this service. They may be made up.
   * `secondsBefore` counts from the beginning of the run until its command ran.
   */
  commandTimes: optional(
    map('command', {
      secondsBefore: number('seconds_before'),
      endedAt: moment('ended_at'),
      run: sparse(number('run'), 1),
    }),
  ),
  /** The run that counts: the last that the system started, as far as anybody has told. */
  run: sparse(number('run'), 1),
  /** The runs before it that the system has told about. */
  runs: optional(
    list('runs', {
      number: number('number'),
      startedAt: optional(moment('started_at')),
      endedAt: optional(moment('ended_at')),
      seconds: number('seconds'),
      isLost: sparse(flag('lost'), false),
      reason: text('reason'),
      /** The bytes of its results, if it sent some. Those of a later run replace them. */
      sentBytes: optional(number('sent_bytes')),
    }),
  ),
  /** How long the run that counts ran, if it was not the only one of an ended job. */
  lastRunSeconds: optional(number('last_run_seconds')),
  /** Results that runs announced, except for those of a first run that ended well. */
  sent: optional(list('sent', { run: number('run'), bytes: number('bytes') })),
  /** The kind of its system at the last hand-over. Jobs of release 0.1.0 lack it. */
  kind: optional(text('kind')),
  /**
   * Whether the system can say after a cancel how long the job ran. Known from the first hand-over
   * on.
   */
  systemCounts: sparse(flag('system_counts'), false),
  /** Whether the system keeps the job until it is removed. Known from the first hand-over on. */
  systemKeeps: sparse(flag('system_keeps'), false),
  /** Deleted here, or not needed any more, and not yet removed from the system. */
  removePending: sparse(flag('remove_pending'), false),
  /** Cancelled here, and not yet on the system. */
  cancelPending: sparse(flag('cancel_pending'), false),
  /** The last thing that the system said about the job, or why it could not be asked. */
  reason: optional(text('reason')),
  /** Each stage with the moment at which it was first seen. */
  stages: list('stages', { stage: text('stage'), at: moment('at') }),
  /** The last hand-overs. One with a reason failed. */
  handOvers: list('tries', { at: moment('at'), reason: optional(text('reason')) }),
}));

export interface JobLife extends Stored<typeof storedLife> {}

export type CommandTimes = NonNullable<JobLife['commandTimes']>;
export type SentResults = NonNullable<JobLife['sent']>[number];
export type StageMoment = JobLife['stages'][number];
export type HandOver = JobLife['handOvers'][number];

/**
 * Limits the size of the item. Every check is charged by it, so a job that waits for days must not
 * keep growing.
 */
const handOversKept = 20;
export const runsKept = 20;
const longestReason = 300;

/** What a new life has besides its job. */
export interface LifeTerms extends Pick<JobLife, 'after' | 'inputFolder' | 'array'> {
  readonly login?: string | undefined;
  /** For a job that waits for others or for its files: when to check next whether they are there. */
  readonly waitsUntil?: Date;
  readonly serviceFetches?: boolean;
  /** True for a job of a batch that is not due before its turn. */
  readonly parked?: boolean;
  /** True if its system may already have the job, and is asked for it before the hand-over. */
  readonly doubted?: boolean;
}

/** Begins a life that is due at once. An imported job has ended, so nothing is due for it. */
export function beginLife(job: Job, terms: LifeTerms = {}): JobLife {
  const { login, after, inputFolder, waitsUntil, array } = terms;
  const { parked = false, doubted = false, serviceFetches = false } = terms;
  return {
    account: accountOf(job),
    jobId: job.jobId,
    ...(login !== undefined && { login }),
    waiting: waitsUntil !== undefined,
    ...(after && { after }),
    ...(inputFolder !== undefined && { inputFolder }),
    serviceFetches,
    takeOvers: 0,
    ...(array && { array }),
    ...(!job.terminal && !parked && { dueAt: waitsUntil ?? job.submittedAt }),
    claims: doubted ? 1 : 0,
    cutOffs: 0,
    unknownChecks: 0,
    run: 1,
    systemCounts: false,
    systemKeeps: false,
    removePending: false,
    cancelPending: false,
    stages: [{ stage: job.stage, at: job.endedAt ?? job.submittedAt }],
    handOvers: [],
  };
}

export function newLifeToItem(job: Job, terms: LifeTerms = {}) {
  const account = accountOf(job);
  const life = beginLife(job, terms);
  const queue = life.waiting ? 'WAITING' : handOversOf(account.hpc);
  return {
    ...jobLifeKey(account, job.jobId),
    ...jobRegistryKeys(job.jobId),
    ...(life.dueAt && dueKeys(queue, life.dueAt, job.id)),
    ...storedLife.format(life),
  };
}

/** True for a job of a batch whose turn to be handed over has not come. */
export function isParked({ dueAt, handle, cancelPending }: JobLife): boolean {
  return dueAt === undefined && handle === undefined && !cancelPending;
}

export const lifeFromItem: (stored: unknown) => JobLife = storedLife.parse;

/**
 * Adds a stage, but not twice if a check is repeated after a crash. A stage is never earlier than
 * the one before it, even if the clock was set back.
 */
export function enterStage(life: JobLife, stage: string, at: Date): readonly StageMoment[] {
  const last = life.stages.at(-1);
  if (last?.stage === stage) return life.stages;
  return [...life.stages, { stage, at: laterOf(at, last?.at ?? at) }];
}

/** The reason recorded for a hand-over whose result never arrived. */
export const cutOff = 'It was cut off before it ended, and what became of it is not known.';

export function addHandOver(life: JobLife, at: Date, reason?: string): readonly HandOver[] {
  const made: HandOver = reason === undefined ? { at } : { at, reason: shorten(reason) };
  return [...life.handOvers, made].slice(-handOversKept);
}

export function shorten(reason: string): string {
  return reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason;
}

/** Names the job to its system. Keeps the login from submission, even if the mapping changed. */
export function tagJob({ jobId, owner }: Job, { login, array }: JobLife): JobTag {
  return { jobId, owner, login, array };
}
