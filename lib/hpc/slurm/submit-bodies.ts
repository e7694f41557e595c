import { warnsVariable } from './build-script.ts';

/** A job as Slurm is to run it, before a version gives it its shape. */
export interface BatchJob {
  readonly name: string;
  readonly script: string;
  readonly partition: string;
  readonly account?: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly minutes: number;
  /** How long before its time limit the script is warned, by USR1. */
  readonly warningSeconds: number;
  readonly directory: string;
  readonly logFile: string;
}

export type SubmitBody = (job: BatchJob) => unknown;

/** No version takes a job without an environment, and the script needs its tools. */
const path = '/usr/local/bin:/usr/bin:/bin';

/**
 * Up to 0.0.38. Nodes as a list, which the specification allows, are silently ignored: a text. There
 * is no warning: `signal` reaches the batch script only with a `B:` in it, and 22.05 refuses that.
 */
export const buildOldBody: SubmitBody = (job) => ({
  script: job.script,
  job: {
    ...describeJob(job),
    environment: { PATH: path },
    time_limit: job.minutes,
  },
});

/** 0.0.39 and 0.0.40: the fields of the new form, the script still outside. */
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
    environment: [`PATH=${path}`, `${warnsVariable}=yes`],
    time_limit: { set: true, infinite: false, number: job.minutes },
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
    nodes: String(job.nodes),
    // The number of tasks is what Slurm counts CPUs by.
    tasks: job.nodes * job.coresPerNode,
    tasks_per_node: job.coresPerNode,
    current_working_directory: job.directory,
    // Both streams in one file: it holds the script's own words, the command's go to the results.
    standard_output: job.logFile,
    standard_error: job.logFile,
  };
}
