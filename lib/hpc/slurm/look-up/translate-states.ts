/** Stage words that users of a batch system know; a catalog with Slurm must have them. */
export type Stage =
  | { readonly state: 'living'; readonly word: 'QUEUED' | 'RUNNING' | 'STAGINGOUT' }
  | {
      readonly state: 'ended';
      readonly word: 'SUCCESSFUL' | 'FAILED';
      /** Slurm's word for the end. */
      readonly end: string;
    };

const queued: Stage = { state: 'living', word: 'QUEUED' };
const running: Stage = { state: 'living', word: 'RUNNING' };
const stagingOut: Stage = { state: 'living', word: 'STAGINGOUT' };

function failed(end: string): [string, Stage] {
  return [end, { state: 'ended', word: 'FAILED', end }];
}

/**
 * Slurm's states and flags, the stronger ones first: a job has one base state and any number of
 * flags, and what stands highest here decides. A cancelled job has failed on its system; that we
 * asked for it is Slipway's own knowledge.
 */
const stages: ReadonlyMap<string, Stage> = new Map([
  // Back in the queue, whatever the run before ended with.
  ['REQUEUED', queued],
  ['REQUEUE_HOLD', queued],
  ['REQUEUE_FED', queued],
  ['SPECIAL_EXIT', queued],
  ['RESV_DEL_HOLD', queued],
  // The base state beside these is the end already, and not yet to be relied on.
  ['COMPLETING', stagingOut],
  ['STAGE_OUT', stagingOut],
  ['COMPLETED', { state: 'ended', word: 'SUCCESSFUL', end: 'COMPLETED' }],
  failed('CANCELLED'),
  failed('FAILED'),
  failed('TIMEOUT'),
  failed('NODE_FAIL'),
  failed('PREEMPTED'),
  failed('BOOT_FAIL'),
  failed('DEADLINE'),
  failed('OUT_OF_MEMORY'),
  // Their base state is RUNNING, though nothing of the job runs before its nodes are up.
  ['CONFIGURING', queued],
  ['POWER_UP_NODE', queued],
  ['PENDING', queued],
  ['RUNNING', running],
  ['SUSPENDED', running],
  ['RESIZING', running],
  ['SIGNALING', running],
  ['STOPPED', running],
  // Mostly flags beside an end, or beside PENDING after a new start was ordered.
  failed('LAUNCH_FAILED'),
  failed('RECONFIG_FAIL'),
  // A sister cluster of the federation has the job.
  ['REVOKED', queued],
]);

/** Nothing where no word is known: a state that Slurm has learnt since is not to be guessed. */
export function translateStates(words: readonly string[]): Stage | undefined {
  const known = [...stages].find(([word]) => words.includes(word));
  return known?.[1];
}
