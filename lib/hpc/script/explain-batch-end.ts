import { timeOver } from './explain-exit.ts';

/** Slurm's words for ends for which neither the job nor a person is to blame. */
export const lostEnds: ReadonlySet<string> = new Set(['NODE_FAIL', 'BOOT_FAIL', 'PREEMPTED']);

const ends: Readonly<Record<string, string>> = {
  CANCELLED: 'The job was cancelled on the system.',
  TIMEOUT: timeOver,
  OUT_OF_MEMORY: 'The job ran out of memory.',
  NODE_FAIL: 'A node of the job failed.',
  BOOT_FAIL: 'A node of the job did not start.',
  PREEMPTED: 'The job was stopped to make room for another one.',
  DEADLINE: 'The job could not end before its deadline.',
  LAUNCH_FAILED: 'The job could not be launched on its nodes.',
  RECONFIG_FAIL: 'The nodes for the job could not be prepared.',
};

/**
 * Explains Slurm's word for an end to the owner of a job. Returns undefined if only the exit code
 * tells more. Slurm also says NODE_FAIL of jobs whose partition was removed from its configuration.
 */
export function explainWord(end: string, reason = ''): string | undefined {
  if (end === 'NODE_FAIL' && reason === 'PartitionDown') {
    return 'The partition of the job is gone. Slurm says: NODE_FAIL, PartitionDown.';
  }
  const text = ends[end];
  return text !== undefined && lostEnds.has(end) ? `${text} Slurm says: ${end}.` : text;
}
