import { existsSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ControlGroups } from '#lib/hpc/machine/processes/job-groups.ts';
import type { ProcessTree } from '#lib/hpc/machine/processes/process-tree.ts';
import {
  type FolderExit,
  type FolderOrder,
  folderVersion,
  partsOfFolder,
  writeHeartbeat,
} from '#lib/hpc/machine/record/job-folder.ts';
import { type ProcessFacts, readMemory } from '#lib/hpc/machine/record/process-mark.ts';
import {
  type FileBounds,
  judgePrinted,
  type MeasuredFiles,
  measureFiles,
} from './measure-output.ts';
import type { Meter } from './measure-usage.ts';

/** Why the shepherd ends a job. */
export type Stop = Pick<FolderExit, 'cause' | 'reason'>;

export interface WatchedJob {
  readonly folder: string;
  readonly order: FolderOrder;
  readonly groups: ControlGroups;
  readonly tree: ProcessTree;
  readonly meter: Meter;
  /** Seconds since the start. */
  readonly clock: () => number;
}

const lookMs = 200;
const heartbeatMs = 1_000;
/** The files are measured for at most this part of the time. */
const measuringPart = 1 / 20;

/** Writes heartbeats until it is closed, and resolves `stopped` once the job must end. */
export function watchJob(job: WatchedJob) {
  const { promise: stopped, resolve } = Promise.withResolvers<Stop>();
  const stopFor = (stop: Stop | undefined) => stop !== undefined && resolve(stop);
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => resolve(interrupted));
  beat(job);
  const timers = [
    setInterval(() => {
      job.meter.look();
      stopFor(findStop(job));
    }, lookMs),
    setInterval(() => {
      beat(job);
      stopFor(findExcessiveMemory(job));
    }, heartbeatMs),
  ];
  let closed = false;
  measureRepeatedly().catch((error: Error) => resolve({ cause: 'lost', reason: error.message }));

  async function measureRepeatedly() {
    for (let before: MeasuredFiles = {}; !closed; ) {
      const start = performance.now();
      const found = await measureAllFiles(job, { isOver: false });
      stopFor(findExcessiveFiles(found) ?? findHiddenFiles(before, found));
      before = found;
      const pause = Math.max(heartbeatMs, (performance.now() - start) / measuringPart);
      await new Promise((proceed) => timers.push(setTimeout(proceed, pause)));
    }
  }

  return {
    stopped,
    close() {
      closed = true;
      for (const timer of timers) clearInterval(timer);
    },
  };
}

/** Judges a job that has ended by itself: a limit may have been the reason. */
export async function judgeEnded(job: WatchedJob): Promise<Stop | undefined> {
  return findOutOfMemory(job) ?? findExcessiveFiles(await measureAllFiles(job, { isOver: true }));
}

const interrupted: Stop = {
  cause: 'lost',
  reason: 'The process that watched the job was told to stop, as when the machine shuts down.',
};

function findStop(job: WatchedJob): Stop | undefined {
  const { folder, order, clock } = job;
  const has = (name: string) => existsSync(join(folder, name));
  // Without its folder a job has nowhere to write, and nobody can ask for its end.
  if (has(partsOfFolder.cancel) || !has(partsOfFolder.claim)) return { cause: 'cancelled' };
  if (clock() >= order.limits.seconds) return { cause: 'time' };
  const printed = judgePrinted(folder, order.limits.outputBytes);
  if (printed !== undefined) return { cause: 'output', reason: printed };
  return findOutOfMemory(job);
}

function findOutOfMemory({ groups, order }: WatchedJob): Stop | undefined {
  return groups.hasRunOutOfMemory() ? outOfMemory(order) : undefined;
}

/** Shared memory is counted once, but finding that out takes long: only where it can matter. */
function findExcessiveMemory({ folder, groups, order, tree, meter }: WatchedJob): Stop | undefined {
  if (groups.folders.length > 0) return undefined;
  const processes = tree.list();
  meter.lookAt(processes);
  const sum = (sizes: number[]) => sizes.reduce((total, size) => total + size, 0);
  const { memoryBytes } = order.limits;
  const nameless = measureNameless(processes, folder).memoryBytes;
  const resident = sum(processes.map(({ residentBytes }) => residentBytes));
  if (resident + nameless <= memoryBytes) return undefined;
  const parts = processes.map(readMemory);
  const shared = sum(parts.map(({ sharedBytes }) => sharedBytes));
  // Most of what has no name is mapped too, and must not be counted twice.
  const used = sum(parts.map(({ ownBytes }) => ownBytes)) + Math.max(shared, nameless);
  return used > memoryBytes ? outOfMemory(order) : undefined;
}

function measureAllFiles(
  { folder, order, tree }: WatchedJob,
  { isOver }: Pick<FileBounds, 'isOver'>,
): Promise<MeasuredFiles> {
  const nameless = isOver ? 0 : measureNameless(tree.list(), folder).fileBytes;
  return measureFiles(folder, { bytes: order.limits.outputBytes, nameless, isOver });
}

function findExcessiveFiles({ excess }: MeasuredFiles): Stop | undefined {
  return excess === undefined ? undefined : { cause: 'output', reason: excess };
}

/** A folder may be closed for a moment, but a job that closes one at every look hides its files. */
function findHiddenFiles(before: MeasuredFiles, now: MeasuredFiles): Stop | undefined {
  if (before.unreadable === undefined || now.unreadable === undefined) return undefined;
  const reason = `The job closed a folder for reading, so its files cannot be counted: ${basename(now.unreadable)}`;
  return { cause: 'output', reason };
}

function outOfMemory({ limits }: FolderOrder): Stop {
  const megabytes = Math.floor(limits.memoryBytes / 1e6);
  return { cause: 'memory', reason: `The job used more than its ${megabytes} MB of memory.` };
}

/** A full disk must not end the watch. */
function beat({ folder, clock }: WatchedJob): void {
  try {
    const at = new Date().toISOString();
    writeHeartbeat(folder, { version: folderVersion, at, seconds: clock() });
  } catch {}
}

/** What a job takes without a name below its folders, so that no walk finds it. */
interface Nameless {
  /** Deleted files that it still holds open. */
  readonly fileBytes: number;
  /** Files in memory: memfd, shared memory, and what is in the /dev/shm of its sandbox. */
  readonly memoryBytes: number;
}

const blockBytes = 512;
/** Bounds a look at a job that has opened everything it can. */
const maximalFiles = 100_000;

/** Looks at the open files of processes. `folder` tells which device is a disk and not memory. */
function measureNameless(processes: readonly ProcessFacts[], folder: string): Nameless {
  const disk = statSync(folder, { throwIfNoEntry: false })?.dev;
  const seen = new Set<string>();
  const isNew = ({ dev, ino }: Stats) => seen.size !== seen.add(`${dev}:${ino}`).size;
  let [fileBytes, memoryBytes] = [0, 0];
  for (const { pid } of processes) {
    for (const file of listOpenFiles(pid)) {
      if (seen.size > maximalFiles) break;
      const stats = orUndefined(() => statSync(file));
      if (!stats?.isFile() || stats.nlink > 0 || !isNew(stats)) continue;
      if (stats.dev === disk) fileBytes += stats.blocks * blockBytes;
      else memoryBytes += stats.blocks * blockBytes;
    }
  }
  return { fileBytes, memoryBytes: memoryBytes + measureSharedMemory(processes) };
}

function listOpenFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return (orUndefined(() => readdirSync(folder)) ?? []).map((name) => `${folder}/${name}`);
}

/** Each sandbox has a /dev/shm of its own. That of the machine belongs to nobody in particular. */
function measureSharedMemory(processes: readonly ProcessFacts[]): number {
  const place = '/dev/shm';
  const seen = new Set([orUndefined(() => statSync(place).dev)]);
  let bytes = 0;
  for (const { pid } of processes) {
    const path = `/proc/${pid}/root${place}`;
    const device = orUndefined(() => statSync(path).dev);
    if (seen.has(device)) continue;
    seen.add(device);
    const room = orUndefined(() => statfsSync(path));
    if (room) bytes += (room.blocks - room.bfree) * room.bsize;
  }
  return bytes;
}

/** A process may end at any time, and its files with it. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
