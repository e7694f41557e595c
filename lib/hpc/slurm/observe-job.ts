import type { Observation } from '../connector.ts';
import { patienceSeconds, scriptExits } from '../script-terms.ts';
import type { JobRecord } from './job-record.ts';

/** Returns undefined for an unknown state. `directory` holds what the job could not send. */
export function observeJob(record: JobRecord, directory: string): Observation | undefined {
  const stage = translateStates(record.states);
  if (stage === undefined) return undefined;
  if (stage.state === 'living') {
    // Slurm still shows why the job waited after it has started.
    const reason = stage.word === 'QUEUED' ? quoteReason(record) : '';
    return { state: 'living', stage: stage.word, ...(reason !== '' && { reason }) };
  }
  const { start, end } = record;
  const failed = stage.word === 'FAILED';
  return {
    state: 'ended',
    stage: stage.word,
    failed,
    ...(failed && { reason: explainEnd(stage.end, record, directory) }),
    ...(stage.end === 'FAILED' && mayHaveGivenUp(record) && { patienceSeconds }),
    ...(end !== undefined && {
      // A job cancelled in the queue has an end but no start.
      usedSeconds: start === undefined ? 0 : Math.max(0, end - start),
      endedAt: new Date(end * 1000),
    }),
    ...(typeof record.measured === 'object' && { measured: record.measured }),
  };
}

/**
 * True if the script ended by itself, not by a signal or the time limit. The exit code alone does
 * not tell, because it may be the command's, and the accounting of 22.05 has none.
 */
function mayHaveGivenUp({ exit }: JobRecord): boolean {
  return exit.signal === 0 && exit.code !== scriptExits.timeLimit;
}

const timeOver = 'The job reached its time limit.';

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

const faultsOfScript: ReadonlyMap<number, string> = new Map([
  [scriptExits.noDirectory, "the job's directory could not be created"],
  [scriptExits.inputNotFetched, 'the input could not be fetched'],
  [scriptExits.inputNotUnpacked, 'the input could not be unpacked'],
  [scriptExits.resultsNotSent, 'the results could not be sent'],
  [scriptExits.resultsTooLarge, 'the results are too large to be sent'],
]);

const unsent: ReadonlySet<number> = new Set([
  scriptExits.resultsNotSent,
  scriptExits.resultsTooLarge,
]);

/** Reasons that say no more than the exit code. */
const emptyReasons = new Set(['', 'None', 'NonZeroExitCode']);

/** The highest signal of Linux. Higher numbers are Slurm's own. */
const lastSignal = 31;

/** Ends that may have stopped a script before it sent anything. */
const cutOff = new Set(['TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL', 'PREEMPTED', 'DEADLINE']);

/** Explains to the owner why a job failed. `end` is Slurm's word. */
function explainEnd(end: string, record: JobRecord, directory: string): string {
  const known = ends[end];
  const lost = `What it wrote and did not send is in ${directory} on the system.`;
  if (known !== undefined) return cutOff.has(end) ? `${known} ${lost}` : known;
  const { code, signal } = record.exit;
  const isUnsent = (signal > 0 && signal <= lastSignal) || unsent.has(code);
  const said = `${explainExit(record)}${quoteReason(record, ' Slurm says: ')}`;
  return isUnsent ? `${said} ${lost}` : said;
}

/** Explains why a job waits, if Slurm says so. */
function quoteReason({ reason = '' }: JobRecord, before = 'Slurm says: '): string {
  return emptyReasons.has(reason) ? '' : `${before}${reason}.`;
}

function explainExit({ exit: { code, signal } }: JobRecord): string {
  if (signal > lastSignal) return 'The job could not be launched.';
  if (signal > 0) return `The command was ended by signal ${signal}.`;
  if (code === scriptExits.timeLimit) return timeOver;
  const fault = faultsOfScript.get(code);
  if (fault !== undefined) return `The job ended with exit code ${code}: ${fault}.`;
  return code > 0 ? `The command ended with exit code ${code}.` : 'The job failed.';
}

/** The words of lib/catalog/kinds/slurm.ts, which users of a batch system know. */
type Stage =
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
 * Slurm's states and flags. A job has one base state and any number of flags, and the first match in
 * this order decides. A cancelled job counts as failed here; only Slipway knows who cancelled it.
 */
const stages: ReadonlyMap<string, Stage> = new Map([
  // Back in the queue, however the last run ended.
  ['REQUEUED', queued],
  ['REQUEUE_HOLD', queued],
  ['REQUEUE_FED', queued],
  ['SPECIAL_EXIT', queued],
  ['RESV_DEL_HOLD', queued],
  // With these the base state is already the end, but not yet final.
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
  // The base state is RUNNING, but nothing runs before the nodes are up.
  ['CONFIGURING', queued],
  ['POWER_UP_NODE', queued],
  ['PENDING', queued],
  ['RUNNING', running],
  ['SUSPENDED', running],
  ['RESIZING', running],
  ['SIGNALING', running],
  ['STOPPED', running],
  // Mostly flags next to an end, or next to PENDING after a restart was ordered.
  failed('LAUNCH_FAILED'),
  failed('RECONFIG_FAIL'),
  // Another cluster of the federation has the job.
  ['REVOKED', queued],
]);

/** Returns undefined if no word is known, as newer states of Slurm must not be guessed. */
export function translateStates(words: readonly string[]): Stage | undefined {
  const known = [...stages].find(([word]) => words.includes(word));
  return known?.[1];
}
