import { type Dir, lstatSync, opendirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { partsOfFolder } from '#lib/hpc/machine/job-folder.ts';

const maximalEntries = 1_000_000;
const entriesPerTurn = 1_000;

/** Returns the sentence for a job whose files are too large or too many, undefined for others. */
export async function judgeFiles(folder: string, bound: number): Promise<string | undefined> {
  const linked = new Set<string>();
  let bytes = measurePrinted(folder);
  let entries = 0;
  for (const stats of walkFiles(folder)) {
    entries += 1;
    if (!stats.isDirectory() && isFirstLink(stats, linked)) bytes += stats.size;
    if (bytes >= bound) break;
    if (entries > maximalEntries) return `The job wrote more than ${maximalEntries} files.`;
    if (entries % entriesPerTurn === 0) await turn();
  }
  return bytes >= bound ? explainSize(bound) : undefined;
}

/** Judges only what the job printed, which is cheap. */
export function judgePrinted(folder: string, bound: number): string | undefined {
  return measurePrinted(folder) >= bound ? explainSize(bound) : undefined;
}

function explainSize(bound: number): string {
  const megabytes = Math.floor(bound / 1e6);
  return `The job wrote more than the ${megabytes} MB that its files may have.`;
}

function measurePrinted(folder: string): number {
  const sizes = [partsOfFolder.stdout, partsOfFolder.stderr].map(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function* walkFiles(folder: string): Generator<Stats> {
  const waiting = [partsOfFolder.work, partsOfFolder.temporary].map((name) => join(folder, name));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const { path, stats } of readFolder(next)) {
      if (stats.isDirectory()) waiting.push(path);
      yield stats;
    }
  }
}

/** Yields the entries that are still there: the job changes them at the same time. */
function* readFolder(path: string): Generator<{ path: string; stats: Stats }> {
  let directory: Dir;
  try {
    directory = opendirSync(path);
  } catch {
    return;
  }
  try {
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      const child = join(path, entry.name);
      const stats = lstatSync(child, { throwIfNoEntry: false });
      if (stats !== undefined) yield { path: child, stats };
    }
  } finally {
    directory.closeSync();
  }
}

/** A file with several names takes its space once. */
function isFirstLink({ nlink, dev, ino }: Stats, linked: Set<string>): boolean {
  if (nlink === 1) return true;
  const file = `${dev}:${ino}`;
  const isFirst = !linked.has(file);
  linked.add(file);
  return isFirst;
}
