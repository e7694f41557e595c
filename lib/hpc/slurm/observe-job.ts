import type { Observation } from '../connector.ts';
import type { JobRecord } from './job-record.ts';
import { patienceSeconds, scriptExits } from './script-transfers.ts';

/** Nothing where the state is not known to us. Its directory is where it keeps what it did not send. */
export function observeJob(record: JobRecord, directory: string): Observation | undefined {
  const stage = translateStates(record.states);
  if (stage === undefined) return undefined;
  if (stage.state === 'living') {
    // Slurm keeps why a job waited in the record of the job that runs.
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
      // Cancelled in the queue: it has an end, and never began.
      usedSeconds: start === undefined ? 0 : Math.max(0, end - start),
      endedAt: new Date(end * 1000),
    }),
  };
}

/**
 * A script that no signal ended, and not its limit either, has come to its own end. The code alone
 * does not tell: it is the command's if that failed, and 22.05's accounting has none.
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

/** Reasons that say no more than the exit code does. */
const emptyReasons = new Set(['', 'None', 'NonZeroExitCode']);

/** The last signal that Linux itself sends; what is beyond is a number of Slurm's own. */
const lastSignal = 31;

/** Ends by which a script may have been cut off before it had sent anything. */
const cutOff = new Set(['TIMEOUT', 'OUT_OF_MEMORY', 'NODE_FAIL', 'PREEMPTED', 'DEADLINE']);

/** Why a job failed, for its owner. `end` is Slurm's word. */
function explainEnd(end: string, record: JobRecord, directory: string): string {
  const known = ends[end];
  const lost = `What it wrote and did not send is in ${directory} on the system.`;
  if (known !== undefined) return cutOff.has(end) ? `${known} ${lost}` : known;
  const { code, signal } = record.exit;
  const isUnsent = (signal > 0 && signal <= lastSignal) || unsent.has(code);
  const said = `${explainExit(record)}${quoteReason(record, ' Slurm says: ')}`;
  return isUnsent ? `${said} ${lost}` : said;
}

/** Why a job waits, where Slurm says it. */
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

/** Stage words that users of a batch system know; a catalog with Slurm must have them. */
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
