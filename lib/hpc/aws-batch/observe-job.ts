import type { AttemptDetail, JobDetail } from '@aws-sdk/client-batch';
import type { Observation } from '../connector.ts';
import { explainExit, timeOver } from '../script/explain-exit.ts';
import { patienceSeconds } from '../script/script-terms.ts';
import { containerExits } from './bootstrap.ts';

/** The words of lib/catalog/kinds/aws-batch.ts for the states of AWS Batch. */
const activeStages: ReadonlyMap<string, string> = new Map([
  ['SUBMITTED', 'QUEUED'],
  ['PENDING', 'QUEUED'],
  ['RUNNABLE', 'QUEUED'],
  ['STARTING', 'STARTING'],
  ['RUNNING', 'RUNNING'],
]);

/** Fargate usually starts a container within a minute or two. */
const longWaitSeconds = 15 * 60;

const whyItWaits =
  'AWS Batch has found no place for it yet: there is no capacity, the quota of the account for Fargate is used up, or the compute environment is not in order.';

/** Returns undefined for an unknown state, as newer states must not be guessed. */
export function observeJob(detail: JobDetail, now: Date): Observation | undefined {
  const { status = '' } = detail;
  const stage = activeStages.get(status);
  if (stage !== undefined) return observeActive(detail, stage, now);
  if (status === 'SUCCEEDED') {
    return { state: 'ended', stage: 'SUCCESSFUL', failed: false, ...readRuns(detail) };
  }
  if (status !== 'FAILED') return undefined;
  return {
    state: 'ended',
    stage: 'FAILED',
    failed: true,
    reason: explainEnd(detail),
    ...explainImage(detail),
    ...(mayHaveGivenUp(detail) && { patienceSeconds }),
    ...readRuns(detail),
  };
}

/** Observes all tasks of an array, if they are in the same stage and none has ended. */
export function observeTogether(array: JobDetail, now: Date): Observation | undefined {
  const { size = 0, statusSummary = {} } = array.arrayProperties ?? {};
  const counts = Map.groupBy(Object.entries(statusSummary), ([status]) => activeStages.get(status));
  for (const [stage, some] of counts) {
    const count = some.reduce((sum, [, each]) => sum + each, 0);
    if (stage === undefined || size === 0 || count !== size) continue;
    // The state of the array itself says nothing about why its tasks wait.
    const waits = some.every(([status, each]) => status === 'RUNNABLE' || each === 0);
    return observeActive({ ...array, status: waits ? 'RUNNABLE' : 'PENDING' }, stage, now);
  }
  return undefined;
}

function observeActive(
  { status, statusReason, createdAt, attempts = [] }: JobDetail,
  stage: string,
  now: Date,
): Observation {
  const earlierRuns = attempts.filter(({ stoppedAt }) => stoppedAt).map(describeAttempt);
  const runs = earlierRuns.length > 0 && { run: earlierRuns.length + 1, earlierRuns };
  if (stage !== 'QUEUED') return { state: 'living', stage, ...runs };
  const waitedMs = createdAt === undefined ? 0 : now.getTime() - createdAt;
  const isLong = status === 'RUNNABLE' && waitedMs >= longWaitSeconds * 1000;
  const reason = statusReason ? quote(statusReason) : isLong ? whyItWaits : undefined;
  return { state: 'living', stage, ...runs, ...(reason !== undefined && { reason }) };
}

/** AWS Batch says so of a host of Fargate Spot that it needed itself. */
const reclaimed = /^(Host EC2|Your Spot Task was interrupted)/;

/** Reads all attempts. AWS Batch repeats only those whose host was reclaimed. */
function readRuns({ attempts = [], startedAt, stoppedAt, statusReason }: JobDetail) {
  const last = attempts.at(-1);
  const end = last?.stoppedAt || stoppedAt;
  const earlierRuns = attempts.slice(0, -1).map(describeAttempt);
  const runs = earlierRuns.length > 0 && { run: attempts.length, earlierRuns };
  if (!end) return { ...runs };
  // A job that never ran has an end, and no start or 0.
  const start = (last ? last.startedAt : startedAt) || end;
  return {
    usedSeconds: Math.max(0, end - start) / 1000,
    startedAt: new Date(start),
    endedAt: new Date(end),
    ...(reclaimed.test(last?.statusReason ?? statusReason ?? '') && { isLost: true }),
    ...runs,
  };
}

function describeAttempt({ startedAt, stoppedAt, statusReason = '' }: AttemptDetail, at: number) {
  const end = stoppedAt ?? 0;
  const start = startedAt || end;
  return {
    number: at + 1,
    startedAt: new Date(start),
    endedAt: new Date(end),
    seconds: Math.max(0, end - start) / 1000,
    isLost: reclaimed.test(statusReason),
    reason: `AWS Batch took its host away and started it again. ${quote(statusReason)}`,
  };
}

function readExit({ attempts = [], container }: JobDetail) {
  const last = attempts.at(-1)?.container;
  return {
    code: last?.exitCode ?? container?.exitCode,
    reason: last?.reason ?? container?.reason,
    log: last?.logStreamName ?? container?.logStreamName,
  };
}

/** 128 and a signal. */
const firstSignalCode = 129;

/** True if the script ended by itself, not by a signal, the time limit or another run. */
function mayHaveGivenUp(detail: JobDetail): boolean {
  const { code } = readExit(detail);
  if (code === undefined || detail.isTerminated || detail.isCancelled) return false;
  if (code === containerExits.timeLimit || code === containerExits.anotherRun) return false;
  return code < firstSignalCode || code >= containerExits.noDirectory;
}

const faultsOfContainer: ReadonlyMap<number, string> = new Map([
  [containerExits.anotherRun, 'another run of this job has begun'],
  [containerExits.scriptNotFetched, 'the script of the job could not be fetched'],
]);

/** AWS Batch fails such a job before it starts. */
function explainImage(detail: JobDetail) {
  const texts = [detail.statusReason, readExit(detail).reason];
  const said = texts.find((text) => text?.startsWith('CannotPull'));
  return said !== undefined && { lacksImage: quote(said) };
}

/** Says no more than the exit code. */
const exited = /^Essential container in task exited/;

/**
 * Explains to the owner why a job failed. A container leaves nothing behind, so the reason of one
 * that may have sent nothing names its log.
 */
function explainEnd(detail: JobDetail): string {
  const { statusReason = '', isCancelled, isTerminated } = detail;
  const { code, reason = '', log } = readExit(detail);
  const lost = log === undefined ? '' : ` Its log in CloudWatch is ${log}.`;
  if (isCancelled || isTerminated) return 'The job was cancelled on AWS Batch.';
  if (/attempt duration exceeded timeout/i.test(statusReason)) return `${timeOver}${lost}`;
  if (code === containerExits.timeLimit) return timeOver;
  if (/^OutOfMemory/.test(reason)) return `The job ran out of memory.${lost}`;
  const said = [exited.test(statusReason) ? '' : statusReason, reason].filter(
    (text) => text !== '',
  );
  const quoted = said.length > 0 ? ` ${quote(said.join(' '))}` : '';
  if (code === undefined || code === 0) return `The job failed.${quoted}${lost}`;
  const fault = faultsOfContainer.get(code);
  const told = fault ? `The job ended with exit code ${code}: ${fault}.` : explainExit(code);
  return `${told}${quoted}${code >= firstSignalCode ? lost : ''}`;
}

function quote(text: string): string {
  return `AWS Batch says: ${text.replace(/\.?$/, '.')}`;
}
