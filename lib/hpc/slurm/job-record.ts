import * as v from 'valibot';
import type { Measured } from '../connector.ts';
import { handleOfTask, hasTask, readHandle, readTasks, type TaskList } from './array-tasks.ts';

/** A job as Slurm's queue or accounting knows it, in any version. */
export interface JobRecord {
  /** The handle of a job or of a task, or the number of the array that the tasks belong to. */
  readonly id: string;
  /** Set for the one record of all tasks of an array that have not started. */
  readonly tasks?: TaskList;
  /** Slurm's own number. A started task has one of its own, except for the last task of an array. */
  readonly number: number;
  readonly name: string;
  readonly user: string | undefined;
  /** The Slurm account that the job is charged to. */
  readonly account: string | undefined;
  /** The base state and the flags beside it, in no order. */
  readonly states: readonly string[];
  readonly reason: string | undefined;
  readonly exit: ExitStatus;
  /** Unix seconds; undefined if it has not happened. A job that is queued again is submitted anew. */
  readonly submitted: number | undefined;
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** How long an ended run ran, without the time in which it was suspended. */
  readonly seconds: number;
  /** How often Slurm had started the job again. Only the queue tells it. */
  readonly restarts?: number | undefined;
  readonly cluster: string | undefined;
  /**
   * Only the accounting has it, and only if the cluster gathers it (JobAcctGatherType). Late while
   * the accounting has not heard of the end of all steps.
   */
  readonly measured?: Measured | 'late' | undefined;
}

interface ExitStatus {
  readonly code: number;
  readonly signal: number;
}

/** From 0.0.40 on, numbers say whether they are set. Before, null and 0 mean unset. */
export const Amount = v.pipe(
  v.union([
    v.number(),
    v.null(),
    v.undefined(),
    v.object({ set: v.boolean(), infinite: v.optional(v.boolean()), number: v.number() }),
  ]),
  v.transform((value) => {
    if (typeof value === 'number') return value;
    return value?.set && !value.infinite ? value.number : undefined;
  }),
);

export const Moment = v.pipe(
  Amount,
  v.transform((seconds) => (seconds === 0 ? undefined : seconds)),
);

const States = v.pipe(
  v.union([v.string(), v.array(v.string())]),
  v.transform((words) => (typeof words === 'string' ? [words] : words)),
);

const Signal = v.object({ id: v.optional(Amount), signal_id: v.optional(Amount) });

/** A wait status of the operating system up to 0.0.38, a struct later. */
const Exit = v.pipe(
  v.union([
    v.number(),
    v.object({ return_code: v.optional(Amount), signal: v.nullish(Signal) }),
    v.null(),
    v.undefined(),
  ]),
  v.transform((exit): ExitStatus => {
    if (typeof exit === 'number') return { code: exit >> 8, signal: exit & 127 };
    const { id, signal_id } = exit?.signal ?? {};
    return { code: exit?.return_code ?? 0, signal: id ?? signal_id ?? 0 };
  }),
);

const Text = v.nullish(v.string());

/** 0 if the job is not part of an array. */
const ArrayNumber = v.optional(Amount);

function identify(number: number, array = 0, task?: number, list?: string | null) {
  if (array === 0) return { id: String(number) };
  if (task !== undefined) return { id: handleOfTask(array, task) };
  return { id: String(array), tasks: readTasks(list ?? '') };
}

const QueuedJob = v.pipe(
  v.object({
    job_id: v.number(),
    array_job_id: ArrayNumber,
    array_task_id: v.optional(Amount),
    array_task_string: Text,
    name: Text,
    user_name: Text,
    account: Text,
    job_state: States,
    state_reason: Text,
    exit_code: v.optional(Exit),
    submit_time: v.optional(Moment),
    start_time: v.optional(Moment),
    end_time: v.optional(Moment),
    suspend_time: v.optional(Moment),
    pre_sus_time: v.optional(Moment),
    restart_cnt: v.optional(Amount),
    cluster: Text,
  }),
  v.transform(
    (job): JobRecord => ({
      ...identify(job.job_id, job.array_job_id, job.array_task_id, job.array_task_string),
      number: job.job_id,
      name: job.name ?? '',
      user: job.user_name ?? undefined,
      account: job.account ?? undefined,
      states: job.job_state,
      reason: job.state_reason ?? undefined,
      exit: job.exit_code ?? { code: 0, signal: 0 },
      submitted: job.submit_time,
      start: job.start_time,
      end: job.end_time,
      seconds: countSeconds(job),
      restarts: job.restart_cnt ?? 0,
      cluster: job.cluster ?? undefined,
    }),
  ),
);

/**
 * Counts how long a run went on. `suspend_time` is when Slurm last suspended or resumed the job, and
 * `pre_sus_time` how long the job had run by then. A job that ends while it is suspended ended, to
 * Slurm, when it was suspended.
 */
function countSeconds(job: {
  readonly start_time?: number | undefined;
  readonly end_time?: number | undefined;
  readonly suspend_time?: number | undefined;
  readonly pre_sus_time?: number | undefined;
}): number {
  const { start_time: start, end_time: end = 0, suspend_time: changed, pre_sus_time: before } = job;
  if (changed !== undefined) return (before ?? 0) + Math.max(0, end - changed);
  // A job cancelled in the queue has an end but no start.
  return start === undefined ? 0 : Math.max(0, end - start);
}

const TresList = v.array(v.object({ type: v.string(), count: v.optional(Amount) }));

const Resources = v.object({
  allocated: v.optional(TresList),
  requested: v.optional(TresList),
});

/**
 * Slurm's names mislead: what a step used is `requested`, and what it wrote is `consumed`. The
 * record of the job itself has no processor time in 22.05, so that of the steps is added up.
 */
const Step = v.object({
  time: v.object({
    end: v.optional(Moment),
    total: v.object({ seconds: Amount, microseconds: Amount }),
  }),
  tres: v.object({ requested: v.object({ total: TresList }) }),
});

/** Adds up the steps of a job. They run one after another, so its memory is that of the largest. */
function measureSteps(
  steps: readonly v.InferOutput<typeof Step>[],
  { allocated = [], requested = [] }: v.InferOutput<typeof Resources> = {},
): JobRecord['measured'] {
  if (steps.length === 0 || steps.some(({ time }) => time.end === undefined)) return 'late';
  const memoryBytes = Math.max(...steps.map((step) => countOf('mem', step.tres.requested.total)));
  if (memoryBytes === 0) return undefined;
  const cpuSeconds = steps.reduce(
    (sum, { time: { total } }) => sum + (total.seconds ?? 0) + (total.microseconds ?? 0) / 1e6,
    0,
  );
  // A cluster that does not allocate memory shows only how much the node has.
  const megabytes = countOf('mem', allocated) || countOf('mem', requested);
  const cores = countOf('cpu', allocated);
  return {
    cpuSeconds: Math.round(cpuSeconds * 100) / 100,
    ...(cores > 0 && { cores }),
    memoryBytes,
    ...(megabytes > 0 && { memoryLimitBytes: megabytes * 1024 ** 2 }),
  };
}

function countOf(type: string, list: v.InferOutput<typeof TresList>): number {
  return list.find((tres) => tres.type === type)?.count ?? 0;
}

const AccountedJob = v.pipe(
  v.object({
    job_id: v.number(),
    array: v.nullish(v.object({ job_id: ArrayNumber, task_id: v.optional(Amount) })),
    name: Text,
    user: Text,
    account: Text,
    state: v.object({ current: States, reason: Text }),
    exit_code: v.optional(Exit),
    time: v.object({
      submission: v.optional(Moment),
      start: v.optional(Moment),
      end: v.optional(Moment),
      elapsed: v.optional(Amount),
    }),
    cluster: Text,
    tres: v.fallback(v.optional(Resources), undefined),
    steps: v.fallback(v.optional(v.array(Step)), undefined),
  }),
  v.transform(
    (job): JobRecord => ({
      ...identify(job.job_id, job.array?.job_id, job.array?.task_id),
      number: job.job_id,
      name: job.name ?? '',
      user: job.user ?? undefined,
      account: job.account ?? undefined,
      states: job.state.current,
      reason: job.state.reason ?? undefined,
      exit: job.exit_code ?? { code: 0, signal: 0 },
      submitted: job.time.submission,
      start: job.time.start,
      end: job.time.end,
      seconds: job.time.elapsed ?? 0,
      cluster: job.cluster ?? undefined,
      measured: measureSteps(job.steps ?? [], job.tres),
    }),
  ),
);

const WithJobs = v.object({ jobs: v.array(v.unknown()) });

export interface JobList {
  readonly jobs: readonly JobRecord[];
  /** False if an entry could not be read. A job that seems missing may be that one. */
  readonly complete: boolean;
}

/** Reads jobs of the queue (slurmctld). Returns undefined if the answer is not a list. */
export function readQueuedJobs(content: unknown): JobList | undefined {
  return readJobs(content, QueuedJob);
}

/** Reads jobs of the accounting (slurmdbd), which keeps those that left the queue. */
export function readAccountedJobs(content: unknown): JobList | undefined {
  return readJobs(content, AccountedJob);
}

function readJobs(
  content: unknown,
  schema: typeof QueuedJob | typeof AccountedJob,
): JobList | undefined {
  const list = v.safeParse(WithJobs, content);
  if (!list.success) return undefined;
  const results = list.output.jobs.map((job) => v.safeParse(schema, job));
  const jobs = results.flatMap((result) => (result.success ? [result.output] : []));
  return { jobs, complete: jobs.length === results.length };
}

/** Tells whether a record is about a job or task. Undefined if a shortened list leaves it open. */
export function isAbout(record: JobRecord, handle: string): boolean | undefined {
  if (record.id === handle) return record.tasks === undefined;
  const { number, task } = readHandle(handle);
  const isWaiting = task !== undefined && record.tasks !== undefined && record.id === number;
  return isWaiting ? hasTask(record.tasks, task) : false;
}
