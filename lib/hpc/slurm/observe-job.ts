import type { JobRun, Observation } from '../connector.ts';
import { explainWord, lostEnds } from '../script/explain-batch-end.ts';
import { explainExit, explainImage } from '../script/explain-exit.ts';
import { patienceSeconds, scriptExits } from '../script/script-terms.ts';
import type { JobRecord } from './job-record.ts';

/** Slurm has the job. */
export type KnownObservation = Exclude<Observation, { state: 'unknown' }>;

/**
 * Returns undefined for an unknown state. `directory` holds what the job could not send; undefined if
 * it sends nothing.
 */
export function observeJob(
  record: JobRecord,
  directory: string | undefined,
): KnownObservation | undefined {
  const stage = translateStates(record.states);
  if (stage === undefined) return undefined;
  const restarts = record.restarts ?? 0;
  const run = restarts > 0 && { run: restarts + 1 };
  if (stage.state === 'living') {
    // Slurm still shows why the job waited after it has started.
    const reason = stage.word === 'QUEUED' ? explainPending(record) : explainPause(record);
    return { state: 'living', stage: stage.word, ...run, ...(reason !== '' && { reason }) };
  }
  const { start, end } = record;
  const failed = stage.word === 'FAILED';
  return {
    state: 'ended',
    stage: stage.word,
    failed,
    ...run,
    ...(failed && explainFailure(stage.end, record)),
    ...(lostEnds.has(stage.end) && { isLost: true }),
    ...(directory !== undefined && {
      ...(failed && mayHaveLeft(stage.end, record) && { leftIn: locateRun(directory, restarts) }),
      ...(stage.end === 'FAILED' && mayHaveGivenUp(record) && { patienceSeconds }),
    }),
    ...(start !== undefined && { startedAt: new Date(start * 1000) }),
    ...(end !== undefined && { usedSeconds: record.seconds, endedAt: new Date(end * 1000) }),
    ...(typeof record.measured === 'object' && { measured: record.measured }),
  };
}

/** The script of a later run makes another directory (lib/hpc/script). */
function locateRun(directory: string, restarts: number): string {
  return restarts === 0 ? directory : `${directory}.run-${restarts + 1}`;
}

/** Describes the runs of one job, from its records in the accounting, in their order. */
export function describeRuns(records: readonly JobRecord[]): JobRun[] {
  return records
    .filter(({ start }) => start !== undefined)
    .map(({ start, end, seconds, states, ...record }, at) => {
      const word = [...lostEnds].find((each) => states.includes(each));
      return {
        number: at + 1,
        startedAt: start === undefined ? undefined : new Date(start * 1000),
        endedAt: end === undefined ? undefined : new Date(end * 1000),
        seconds,
        isLost: word !== undefined,
        reason: (word && explainWord(word, record.reason)) ?? requeued,
      };
    });
}

const requeued =
  'It was put back into the queue, by itself or by an administrator of the system. Slurm says: REQUEUED.';

/**
 * True if the script ended by itself, not by a signal or the time limit. The exit code alone does
 * not tell, because it may be the command's, and the accounting of 22.05 has none.
 */
function mayHaveGivenUp({ exit }: JobRecord): boolean {
  return exit.signal === 0 && exit.code !== scriptExits.timeLimit;
}

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

function mayHaveLeft(end: string, { exit: { code, signal } }: JobRecord): boolean {
  if (explainWord(end) !== undefined) return cutOff.has(end);
  return (signal > 0 && signal <= lastSignal) || unsent.has(code);
}

function explainFailure(end: string, record: JobRecord) {
  const reason = explainEnd(end, record);
  return { reason, ...(end === 'FAILED' && explainImage(record.exit.code)) };
}

/** Explains to the owner why a job failed. `end` is Slurm's word. */
function explainEnd(end: string, record: JobRecord): string {
  const { reason = '' } = record;
  const said = emptyReasons.has(reason) ? '' : ` Slurm says: ${reason}.`;
  return explainWord(end, reason) ?? `${explainStatus(record)}${said}`;
}

function explainStatus({ exit: { code, signal } }: JobRecord): string {
  if (signal > lastSignal) return 'The job could not be launched.';
  if (signal > 0) return `The command was ended by signal ${signal}.`;
  return explainExit(code);
}

/** A suspended job counts as running: it keeps its nodes, and its time stands still. */
function explainPause({ states }: JobRecord): string {
  return states.includes('SUSPENDED')
    ? 'The HPC system has suspended it. Its time does not go on until it is resumed. Slurm says: SUSPENDED.'
    : '';
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

const hopeless =
  'It does not start like this: cancel it and ask for less, or ask the administrators of the system.';

/**
 * Explains why a job waits, with Slurm's own word behind it. Slurm has about a hundred words. Those
 * that people meet are here; the limits have names that say what they limit.
 */
const reasons: Readonly<Record<string, string>> = {
  BeginTime: 'It may not start before a set time. A job that was started again waits for a while.',
  AccountNotAllowed: `Its Slurm account may not use its partition. ${hopeless}`,
  BadConstraints: `No node has what it asks for. ${hopeless}`,
  Cleaning: 'Its last run is being cleaned up.',
  Dependency: 'It waits for other jobs.',
  DependencyNeverSatisfied: 'It waits for other jobs, and they did not end as it needs.',
  InvalidAccount: `Its Slurm account is not valid. ${hopeless}`,
  InvalidQOS: `Its quality of service is not valid. ${hopeless}`,
  JobArrayTaskLimit: 'As many jobs of its batch run as may run at once.',
  JobHeldAdmin: 'An administrator of the system holds it back.',
  JobHeldUser: 'It is held back on the system.',
  launch_failed_requeued_held: 'It could not be launched, and an administrator must release it.',
  Licenses: 'It waits for a licence.',
  NodeDown: 'A node that it needs is down.',
  PartitionDown: 'Its partition is closed. It waits until the partition is open again.',
  PartitionInactive: 'Its partition starts no jobs right now.',
  PartitionConfig: `Its partition cannot run a job of this size. ${hopeless}`,
  PartitionNodeLimit: `It asks for more nodes than its partition gives to a job. ${hopeless}`,
  PartitionTimeLimit: `It asks for more time than its partition gives to a job. ${hopeless}`,
  Priority: 'Other jobs come before it.',
  ReqNodeNotAvail:
    'The nodes that it needs are down, or reserved, for example for maintenance. A job that asks for less time may start earlier.',
  QOSNotAllowed: `Its quality of service may not be used in its partition. ${hopeless}`,
  Reservation:
    'It waits for a reservation: its own has not begun, or somebody has reserved the nodes.',
  Resources: 'It waits for free nodes, cores, memory or GPUs.',
  SchedDefer: 'The system puts off starting jobs right now.',
  SystemFailure: 'The system failed while it started the job.',
};

/** The limit of an account, a user or a quality of service: AssocGrpCPUMinutesLimit, QOSMaxJobsPerUserLimit. */
const limit = /^(Assoc|QOS)\w*$/;

/** A limit that the job is beyond by itself: QOSMaxCpuPerJobLimit, QOSMinCpuNotSatisfied. */
const ownLimit = /PerJob|NotSatisfied/;

function explainLimit(word: string): string | undefined {
  if (!limit.test(word)) return undefined;
  if (ownLimit.test(word)) {
    return `Its account or quality of service allows no such job. ${hopeless}`;
  }
  return word.includes('Minutes')
    ? 'The time that its account or quality of service has on the system is used up, or too little for it.'
    : 'A limit of its account or quality of service is reached. It starts when there is room.';
}

/** Words that say nothing about a wait. */
const emptyWaits = new Set(['', 'None']);

export function explainPending({ reason = '' }: Pick<JobRecord, 'reason'>): string {
  if (emptyWaits.has(reason)) return '';
  // Slurm adds the names of nodes after a comma.
  const [word = ''] = reason.split(',');
  const text = reasons[word] ?? explainLimit(word);
  return text === undefined ? `Slurm says: ${reason}.` : `${text} Slurm says: ${reason}.`;
}
