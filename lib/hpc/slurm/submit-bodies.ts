import { warnsVariable } from '../script/build-script.ts';

/** A job for Slurm, before it gets the shape of a version. */
export interface BatchJob {
  readonly name: string;
  readonly script: string;
  readonly partition: string;
  readonly account?: string;
  readonly qos?: string;
  readonly nodes: number;
  readonly tasksPerNode: number;
  /** The cores of a task, if somebody chose them. Otherwise each core is a task. */
  readonly coresPerTask?: number;
  /** On each node. */
  readonly mebibytes?: number;
  /** On each node: `2`, or `a100:2`. */
  readonly gpus?: string;
  readonly minutes: number;
  /** USR1 warns the script this long before its time limit. */
  readonly warningSeconds: number;
  readonly directory: string;
  readonly logFile: string;
  /** The task numbers, and how many may run at once: `0-199%4`. */
  readonly array?: string;
  /** True if it may not start. */
  readonly isHeld?: boolean;
  /** The number of a job or array that must have ended before this one begins. */
  readonly after?: string;
}

export type SubmitBody = (job: BatchJob) => unknown;

/**
 * Every version requires an environment, and the script needs its tools. Commands and `srun` learn
 * the cores of a task from variables that sbatch sets, and slurmrestd does not.
 */
export function buildEnvironment({ coresPerTask }: BatchJob): Record<string, string> {
  const cores = String(coresPerTask);
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...(coresPerTask !== undefined && {
      SLURM_CPUS_PER_TASK: cores,
      SRUN_CPUS_PER_TASK: cores,
      OMP_NUM_THREADS: cores,
    }),
  };
}

/**
 * Up to 0.0.38. `nodes` is text, because a list is silently ignored despite the specification. There
 * is no warning, because `signal` needs a `B:` to reach the batch script and 22.05 refuses that.
 */
export const buildOldBody: SubmitBody = (job) => ({
  script: job.script,
  job: {
    ...describeJob(job),
    environment: buildEnvironment(job),
    time_limit: job.minutes,
    ...(job.mebibytes !== undefined && { memory_per_node: job.mebibytes }),
    ...(job.gpus !== undefined && { gpus_per_node: job.gpus }),
  },
});

/** 0.0.39 and 0.0.40: the new fields, with the script still outside of the job. */
export const buildTransitionalBody: SubmitBody = (job) => ({
  script: job.script,
  job: describeInNewForm(job),
});

/** From 0.0.41. */
export const buildCurrentBody: SubmitBody = (job) => ({
  job: { ...describeInNewForm(job), script: job.script },
});

function describeInNewForm(job: BatchJob) {
  return {
    ...describeJob(job),
    minimum_nodes: job.nodes,
    environment: Object.entries({ ...buildEnvironment(job), [warnsVariable]: 'yes' }).map(
      ([name, value]) => `${name}=${value}`,
    ),
    time_limit: { set: true, infinite: false, number: job.minutes },
    ...(job.mebibytes !== undefined && {
      memory_per_node: { set: true, infinite: false, number: job.mebibytes },
    }),
    ...(job.gpus !== undefined && { tres_per_node: `gres/gpu:${job.gpus}` }),
    kill_warning_flags: ['BATCH_JOB'],
    kill_warning_signal: 'USR1',
    kill_warning_delay: { set: true, infinite: false, number: job.warningSeconds },
  };
}

function describeJob(job: BatchJob) {
  return {
    name: job.name,
    partition: job.partition,
    ...(job.account !== undefined && { account: job.account }),
    ...(job.qos !== undefined && { qos: job.qos }),
    nodes: String(job.nodes),
    tasks: job.nodes * job.tasksPerNode,
    tasks_per_node: job.tasksPerNode,
    ...(job.coresPerTask !== undefined && { cpus_per_task: job.coresPerTask }),
    current_working_directory: job.directory,
    // Only the script's own messages go to this file. The command's output goes to the results.
    standard_output: job.logFile,
    standard_error: job.logFile,
    ...(job.array !== undefined && { array: job.array }),
    ...(job.isHeld && { hold: true }),
    ...(job.after !== undefined && { dependency: `afterany:${job.after}` }),
  };
}
