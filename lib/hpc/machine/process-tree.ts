import { setTimeout as sleep } from 'node:timers/promises';
import { readMembers, sealGroups } from './job-groups.ts';
import {
  hasEnded,
  listProcesses,
  type ProcessFacts,
  type ProcessMark,
  readNewestPid,
  readProcess,
  startedWith,
} from './process-mark.ts';

/** Every process of a job inherits this variable, whatever session or parent it moves to. */
export const markVariable = 'SLIPWAY_JOB_ID';

/** Returns the mark as it is in the environment of a process. */
export const markOfJob = (jobId: string) => `${markVariable}=${jobId}`;

export interface ProcessTree {
  /** Tells of a process that belongs to the job. The first one is that of the command. */
  readonly add: (mark: ProcessMark) => void;
  /** Lists the processes that run now. */
  readonly list: () => ProcessFacts[];
  /**
   * Ends all of them: a request first (TERM), a kill after the grace period, repeated while new
   * ones appear. Returns those that are left, which only the kernel can hold.
   */
  readonly end: (options: { readonly graceMs: number }) => Promise<ProcessFacts[]>;
}

export interface TreeOptions {
  readonly jobId: string;
  /** Folders of its control groups. */
  readonly groups: readonly string[];
  /** The process of the command gets no request to end, but is killed with the others. */
  readonly sparesFirst?: boolean;
}

/** How long an end may take after the kill. Longer means that a process hangs in the kernel. */
const killMs = 20_000;
const roundMs = 50;
/** Kills without a pause at first, because processes that wait for theirs may start others. */
const quickRounds = 5;
/** Bounds the pursuit of processes that start while the others are listed. */
const pursuits = 1000;

/**
 * Finds the processes of a job: those of its control groups, the known ones with their descendants
 * and process groups, and those with the job's mark in their environment. It remembers what it has
 * found, so that a process whose parent ends is still known later.
 */
export function openTree({ jobId, groups, sparesFirst }: TreeOptions): ProcessTree {
  if (jobId === '') throw new Error('A job without an id has no processes of its own.');
  const remembered = new Map<number, string>();
  const strangers = new Map<number, string>();
  let spared: number | undefined;

  function add({ pid, startTime }: ProcessMark): void {
    if (sparesFirst) spared ??= pid;
    remembered.set(pid, startTime);
  }

  /** With `thoroughly`, environments that were read before are read again: exec changes them. */
  function list({ thoroughly = false } = {}): ProcessFacts[] {
    const all = listProcesses().filter((facts) => facts.pid > 1 && facts.pid !== process.pid);
    const members = new Set(groups.flatMap(readMembers));
    const isMarked = ({ pid, startTime }: ProcessFacts) => {
      if (!thoroughly && strangers.get(pid) === startTime) return false;
      if (startedWith(pid, markOfJob(jobId))) return true;
      strangers.set(pid, startTime);
      return false;
    };
    const own = new Set(
      all
        .filter((facts) => remembered.get(facts.pid) === facts.startTime || members.has(facts.pid))
        .map(({ pid }) => pid),
    );
    for (const facts of all) if (!own.has(facts.pid) && isMarked(facts)) own.add(facts.pid);
    addRelatives(own, all);
    const found = all.filter(({ pid }) => own.has(pid));
    remembered.clear();
    for (const { pid, startTime } of found) remembered.set(pid, startTime);
    return found.filter((facts) => !hasEnded(facts));
  }

  /**
   * Lists the processes, and if there are none, those that were started meanwhile. The list is read
   * one by one, so a process that starts another and ends would hide both.
   */
  function lookClosely(): ProcessFacts[] {
    let from = readNewestPid();
    let found = list({ thoroughly: true });
    for (let round = 0; found.length === 0 && round < pursuits; round += 1) {
      const to = readNewestPid();
      if (to === from) break;
      // Ids begin anew after the highest one.
      found = to < from ? list({ thoroughly: true }) : listMarked(jobId, from + 1, to);
      from = to;
    }
    for (const { pid, startTime } of found) remembered.set(pid, startTime);
    return found;
  }

  async function end({ graceMs }: { readonly graceMs: number }) {
    const killAt = performance.now() + graceMs;
    const asked = new Set<number | undefined>([spared]);
    const request = (facts: ProcessFacts) => {
      if (!asked.has(facts.pid)) signalProcess(facts, 'SIGTERM');
      asked.add(facts.pid);
    };
    const kill = (facts: ProcessFacts) => signalProcess(facts, 'SIGKILL');
    let left = lookClosely();
    for (; left.length > 0 && performance.now() < killAt; left = lookClosely()) {
      left.forEach(request);
      await sleep(roundMs);
    }
    if (left.length > 0) sealGroups(groups);
    for (let round = 1; left.length > 0 && performance.now() < killAt + killMs; round += 1) {
      left.forEach(kill);
      if (round > quickRounds) await sleep(roundMs);
      left = lookClosely();
    }
    return left;
  }

  return { add, list, end };
}

function listMarked(jobId: string, first: number, last: number): ProcessFacts[] {
  const pids = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return pids
    .filter((pid) => pid !== process.pid && startedWith(pid, markOfJob(jobId)))
    .flatMap((pid) => readProcess(pid) ?? [])
    .filter((facts) => !hasEnded(facts));
}

/** Adds descendants and the members of process groups that a process of the job leads. */
function addRelatives(own: Set<number>, all: readonly ProcessFacts[]): void {
  let before = -1;
  while (before !== own.size) {
    before = own.size;
    for (const { pid, parent, group } of all) {
      if (own.has(parent) || own.has(group)) own.add(pid);
    }
  }
}

/** Looks once more, so that a process that got the id of an ended one is never signalled. */
export function signalProcess(mark: ProcessMark, signal: NodeJS.Signals): void {
  if (mark.pid <= 1 || readProcess(mark.pid)?.startTime !== mark.startTime) return;
  try {
    process.kill(mark.pid, signal);
  } catch (error) {
    // It has just ended, or it runs as another user by now (sudo).
    const expected = ['ESRCH', 'EPERM'];
    if (!(error instanceof Error && 'code' in error && expected.includes(String(error.code)))) {
      throw error;
    }
  }
}
