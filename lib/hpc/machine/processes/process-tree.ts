import { setTimeout as sleep } from 'node:timers/promises';
import {
  hasEnded,
  isOwnedBy,
  listProcesses,
  type ProcessFacts,
  type ProcessMark,
  readNewestPid,
  readProcess,
  startedWith,
} from '../record/process-mark.ts';
import { readMembers, sealGroups } from './job-groups.ts';

/** Every process of a job inherits this variable, whatever session or parent it moves to. */
export const markVariable = 'SLIPWAY_MARK';

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
  /** What only processes of the job have in their environment, unless somebody reads theirs. */
  readonly mark?: string | undefined;
  /** The account of the job. */
  readonly uid: number | undefined;
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

/** Finds the processes of a job, and none of anybody else. */
export function openTree({ mark, uid, groups, sparesFirst }: TreeOptions): ProcessTree {
  const marking = mark ? { variable: `${markVariable}=${mark}`, uid } : undefined;
  const finder = groups.length > 0 ? findByGroups(groups) : findByDescent(marking);
  let spared: number | undefined;

  async function end({ graceMs }: { readonly graceMs: number }) {
    const killAt = performance.now() + graceMs;
    const asked = new Set<number | undefined>([spared]);
    const request = (facts: ProcessFacts) => {
      if (!asked.has(facts.pid)) signalProcess(facts, 'SIGTERM');
      asked.add(facts.pid);
    };
    const kill = (facts: ProcessFacts) => signalProcess(facts, 'SIGKILL');
    let left = finder.lookClosely();
    for (; left.length > 0 && performance.now() < killAt; left = finder.lookClosely()) {
      left.forEach(request);
      await sleep(roundMs);
    }
    if (left.length > 0) sealGroups(groups);
    for (let round = 1; left.length > 0 && performance.now() < killAt + killMs; round += 1) {
      left.forEach(kill);
      if (round > quickRounds) await sleep(roundMs);
      left = finder.lookClosely();
    }
    return left;
  }

  return {
    add(process) {
      if (sparesFirst) spared ??= process.pid;
      finder.add(process);
    },
    list: () => finder.look(),
    end,
  };
}

interface Finder {
  add(process: ProcessMark): void;
  look(): ProcessFacts[];
  /** Looks again where a process could have been missed. */
  lookClosely(): ProcessFacts[];
}

/**
 * Believes the kernel alone: what the groups of the job hold belongs to it. The process of the
 * command is told, because a shepherd that is killed may leave it before it has entered its groups,
 * and then it would run on unwatched.
 */
function findByGroups(groups: readonly string[]): Finder {
  const told = new Map<number, string>();
  const look = () => {
    const members = new Set(groups.flatMap(readMembers));
    return [...members.union(told)]
      .filter((pid) => pid > 1 && pid !== process.pid)
      .flatMap((pid) => readProcess(pid) ?? [])
      .filter(({ pid, startTime }) => members.has(pid) || told.get(pid) === startTime)
      .filter((facts) => !hasEnded(facts));
  };
  const add = ({ pid, startTime }: ProcessMark) => void told.set(pid, startTime);
  return { add, look, lookClosely: look };
}

interface Marking {
  /** `NAME=value` */
  readonly variable: string;
  readonly uid: number | undefined;
}

/** Bounds the pursuit of processes that start while the others are listed. */
const pursuits = 1000;

/**
 * Finds what the shepherd has started: the known processes with their descendants and process
 * groups, and those that have lost both but still carry the job's mark, as long as the account of
 * the job owns them. Remembers what it has found, so that a process whose parent ends is still known
 * later.
 */
function findByDescent(marking: Marking | undefined): Finder {
  const remembered = new Map<number, string>();
  const strangers = new Map<number, string>();
  const isMarked = ({ pid }: ProcessFacts) =>
    marking !== undefined && isOwnedBy(pid, marking.uid) && startedWith(pid, marking.variable);

  /** With `thoroughly`, environments that were read before are read again: exec changes them. */
  function look({ thoroughly = false } = {}): ProcessFacts[] {
    const all = listProcesses().filter((facts) => facts.pid > 1 && facts.pid !== process.pid);
    const isFound = (facts: ProcessFacts) => {
      const { pid, startTime } = facts;
      if (remembered.get(pid) === startTime) return true;
      if (!thoroughly && strangers.get(pid) === startTime) return false;
      if (isMarked(facts)) return true;
      strangers.set(pid, startTime);
      return false;
    };
    const own = new Set(all.filter(isFound).map(({ pid }) => pid));
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
    let found = look({ thoroughly: true });
    for (let round = 0; found.length === 0 && round < pursuits; round += 1) {
      const to = readNewestPid();
      if (to === from) break;
      // Ids begin anew after the highest one.
      found = to < from ? look({ thoroughly: true }) : lookBetween(from + 1, to);
      from = to;
    }
    for (const { pid, startTime } of found) remembered.set(pid, startTime);
    return found;
  }

  function lookBetween(first: number, last: number): ProcessFacts[] {
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
      .filter((pid) => pid !== process.pid)
      .flatMap((pid) => readProcess(pid) ?? [])
      .filter((facts) => isMarked(facts) && !hasEnded(facts));
  }

  return {
    add: ({ pid, startTime }) => void remembered.set(pid, startTime),
    look,
    lookClosely,
  };
}

/**
 * Adds descendants and the members of process groups that a process of the job leads. The kernel
 * lets nobody join a group of another session.
 */
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
