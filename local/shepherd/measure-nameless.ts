import { readdirSync, type Stats, statfsSync, statSync } from 'node:fs';
import type { ProcessFacts } from '#lib/hpc/machine/process-mark.ts';

/** What a job takes without a name below its folders, so that no walk finds it. */
export interface Nameless {
  /** Deleted files that it still holds open. */
  readonly fileBytes: number;
  /** Files in memory: memfd, shared memory, and what is in the /dev/shm of its sandbox. */
  readonly memoryBytes: number;
}

const blockBytes = 512;
/** Bounds a look at a job that has opened everything it can. */
const maximalFiles = 100_000;

/** Looks at the open files of processes. `folder` tells which device is a disk and not memory. */
export function measureNameless(processes: readonly ProcessFacts[], folder: string): Nameless {
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
