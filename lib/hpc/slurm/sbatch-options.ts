import { warnsVariable } from '../script/build-script.ts';
import { quoteForShell } from '../script/quote-for-shell.ts';
import { type BatchJob, buildEnvironment } from './submit-bodies.ts';

/** Writes what sbatch gets besides the script. */
export function writeOptions(job: BatchJob): string[] {
  const { nodes, tasksPerNode } = job;
  const options: Readonly<Record<string, string | number | undefined>> = {
    'job-name': job.name,
    partition: job.partition,
    account: job.account,
    qos: job.qos,
    nodes,
    ntasks: nodes * tasksPerNode,
    'ntasks-per-node': tasksPerNode,
    'cpus-per-task': job.coresPerTask,
    mem: job.mebibytes === undefined ? undefined : `${job.mebibytes}M`,
    'gpus-per-node': job.gpus,
    time: job.minutes,
    signal: `B:USR1@${job.warningSeconds}`,
    chdir: job.directory,
    // Only the script's own messages go to this file. The command's output goes to the results.
    output: job.logFile,
    array: job.array,
    dependency: job.after === undefined ? undefined : `afterany:${job.after}`,
  };
  const written = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  );
  return ['--parsable', ...(job.isHeld ? ['--hold'] : []), ...written];
}

/**
 * Sets the environment of a job in its script, because lists of variables with sbatch read the
 * profile of the account on the node, and requeue the job if that takes long. sudo leaves traces.
 */
export function writeScript(job: BatchJob): string {
  const variables = Object.entries({ ...buildEnvironment(job), [warnsVariable]: 'yes' });
  const [first = '', ...rest] = job.script.split('\n');
  return [
    first,
    'unset SUDO_COMMAND SUDO_USER SUDO_UID SUDO_GID',
    ...variables.map(([name, value]) => `export ${name}=${quoteForShell(value)}`),
    ...rest,
  ].join('\n');
}
