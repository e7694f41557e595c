import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FolderOrder, LimitLevel } from '../record/job-folder.ts';

/** The control groups of one job, which hold its processes wherever they go. */
export interface ControlGroups {
  readonly folders: readonly string[];
  /** Returns whether the kernel has killed a process of the job because its memory was used up. */
  readonly hasRunOutOfMemory: () => boolean;
  /**
   * Returns the memory that the processes use now. File pages that the kernel keeps for them are
   * not counted, because it gives these up before the limit matters.
   */
  readonly readMemoryBytes: () => number | undefined;
  /** Returns the processor time of all processes so far. Undefined with version 1. */
  readonly readCpuSeconds: () => number | undefined;
}

type Bounds = Pick<FolderOrder['limits'], 'memoryBytes' | 'processes'>;

export const nameOfGroup = (jobId: string) => `slipway-${jobId}`;

/** Creates the groups of a job, below or beside that of this process. Throws if it may not. */
export function createGroups(level: LimitLevel, name: string, bounds: Bounds): ControlGroups {
  switch (level) {
    case 'systemd':
      return createGroup(join(makeRoomInScope(), name), bounds);
    case 'control-group':
      return createGroup(join(findParent(), name), bounds);
    case 'control-group-v1':
      return createGroupsV1(name, bounds);
    case 'watched':
      return noGroups;
  }
}

const noGroups: ControlGroups = {
  folders: [],
  hasRunOutOfMemory: () => false,
  readMemoryBytes: () => undefined,
  readCpuSeconds: () => undefined,
};

/**
 * Returns where the groups of a job are if it has some. A scope of systemd is not found, but it
 * vanishes with its last process.
 */
export function findGroups(level: LimitLevel, name: string): string[] {
  if (level === 'control-group') return [join(dirname(findOwnGroup('').folder), name)];
  return level === 'control-group-v1' ? foldersV1(name) : [];
}

/** Removes groups without processes. One that still has some stays, because it shows where they are. */
export async function removeGroups(folders: readonly string[]): Promise<void> {
  const removalTries = 20;
  for (let round = 0; round < removalTries; round += 1) {
    if (folders.map(removeGroup).every(Boolean)) return;
    // A process that has been killed belongs to its group a little longer.
    await sleep(50);
  }
}

function removeGroup(folder: string): boolean {
  try {
    rmdirSync(folder);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT';
  }
  return true;
}

/** Stops the processes of these groups from starting others, so that a kill reaches all of them. */
export function sealGroups(folders: readonly string[]): void {
  for (const folder of folders) {
    if (!tryWriting(folder, 'cgroup.kill', 1)) tryWriting(folder, 'pids.max', 0);
  }
}

export function readMembers(folder: string): number[] {
  const text = readIfPossible(join(folder, 'cgroup.procs')) ?? '';
  return text.split('\n').filter(Boolean).map(Number);
}

function createGroup(folder: string, { memoryBytes, processes }: Bounds): ControlGroups {
  createFolders([folder], () => {
    writeSetting(folder, 'memory.max', memoryBytes);
    writeSetting(folder, 'pids.max', processes);
    // Missing on a machine without swap or with an older kernel.
    tryWriting(folder, 'memory.swap.max', 0);
    tryWriting(folder, 'memory.oom.group', 1);
  });
  return {
    folders: [folder],
    hasRunOutOfMemory: () => readLine(folder, 'memory.events', 'oom_kill') > 0,
    readMemoryBytes: () => addLines(folder, ['anon', 'shmem']),
    readCpuSeconds: () => readLine(folder, 'cpu.stat', 'usage_usec') / 1e6,
  };
}

function createGroupsV1(name: string, { memoryBytes, processes }: Bounds): ControlGroups {
  const [memory, pids] = foldersV1(name);
  createFolders([memory, pids], () => {
    writeSetting(memory, 'memory.limit_in_bytes', memoryBytes);
    // Missing if the kernel does not count swap.
    tryWriting(memory, 'memory.memsw.limit_in_bytes', memoryBytes);
    writeSetting(pids, 'pids.max', processes);
  });
  return {
    folders: [memory, pids],
    hasRunOutOfMemory: () => readLine(memory, 'memory.oom_control', 'oom_kill') > 0,
    readMemoryBytes: () => addLines(memory, ['total_rss', 'total_shmem']),
    readCpuSeconds: () => undefined,
  };
}

const foldersV1 = (name: string): [memory: string, pids: string] => [
  join(findOwnGroup('memory').folder, name),
  join(findOwnGroup('pids').folder, name),
];

/** Leaves nothing behind if a limit cannot be set. */
function createFolders(folders: readonly string[], setLimits: () => void): void {
  try {
    for (const folder of folders) mkdirSync(folder);
    setLimits();
  } catch (error) {
    folders.forEach(removeGroup);
    throw error;
  }
}

/**
 * The shepherd was started in a scope of its own. A group with processes cannot limit groups below
 * it, so the shepherd moves into one of them.
 */
function makeRoomInScope(): string {
  const { folder } = findOwnGroup('');
  const shepherds = join(folder, 'shepherd');
  mkdirSync(shepherds);
  writeSetting(shepherds, 'cgroup.procs', process.pid);
  return enableControllers(folder);
}

/** Groups are created beside that of this process, for the same reason. */
function findParent(): string {
  const { folder, isRoot } = findOwnGroup('');
  if (isRoot) throw new Error('The control group of this process has no parent.');
  return enableControllers(dirname(folder));
}

function enableControllers(folder: string): string {
  writeSetting(folder, 'cgroup.subtree_control', '+memory +pids');
  return folder;
}

/** Finds the group of this process. The empty controller stands for version 2. */
function findOwnGroup(controller: 'memory' | 'pids' | '') {
  const path = readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([, controllers]) => controllers?.split(',').includes(controller))
    ?.slice(2)
    .join(':');
  const mount = findMount(controller);
  if (path === undefined || mount === undefined) {
    throw new Error(`This machine has no control group for ${controller || 'processes'}.`);
  }
  const below = relative(mount.root, path);
  return { folder: join(mount.point, below), isRoot: below === '' };
}

function findMount(controller: string) {
  const type = controller === '' ? 'cgroup2' : 'cgroup';
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const [place = '', system = ''] = line.split(' - ');
    const [, , , root = '', point = ''] = place.split(' ');
    const [mounted, , options = ''] = system.split(' ');
    const isIt = mounted === type && (controller === '' || options.split(',').includes(controller));
    if (isIt) return { root, point };
  }
  return undefined;
}

function addLines(folder: string, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + readLine(folder, 'memory.stat', name), 0);
}

/** Reads the number of a line such as `oom_kill 1`; 0 if there is no such line. */
function readLine(folder: string, file: string, name: string): number {
  const text = readIfPossible(join(folder, file)) ?? '';
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

function readIfPossible(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Never creates the file, because a limit that the kernel does not know limits nothing. */
function writeSetting(folder: string, name: string, value: number | string): void {
  writeFileSync(join(folder, name), String(value), { flag: 'r+' });
}

function tryWriting(folder: string, name: string, value: number): boolean {
  try {
    writeSetting(folder, name, value);
    return true;
  } catch {
    return false;
  }
}
