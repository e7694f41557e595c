import { lstatSync, opendirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { partsOfFolder } from '#lib/hpc/machine/job-folder.ts';

const maximalEntries = 1_000_000;
/** Beyond 4095 characters no program can name a file, so its size could not be read. */
const maximalPath = 3_500;
const entriesPerTurn = 1_000;

/** Returns the sentence for a job whose files are too large or too many, undefined for others. */
export async function judgeFiles(folder: string, bound: number): Promise<string | undefined> {
  const linked = new Set<string>();
  let bytes = measurePrinted(folder);
  let entries = 0;
  for (const { path, stats } of walkFiles(folder)) {
    entries += 1;
    if (!stats.isDirectory() && isFirstLink(stats, linked)) bytes += stats.size;
    if (bytes >= bound) break;
    if (entries > maximalEntries) return `The job wrote more than ${maximalEntries} files.`;
    if (path.length > maximalPath) return 'The job put folders into folders without end.';
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

interface Entry {
  readonly path: string;
  readonly stats: Stats;
}

function* walkFiles(folder: string): Generator<Entry> {
  const waiting = [partsOfFolder.work, partsOfFolder.temporary].map((name) => join(folder, name));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of readFolder(next)) {
      if (entry.stats.isDirectory()) waiting.push(entry.path);
      yield entry;
    }
  }
}

/** Passes over entries that cannot be read. Most have just been removed by the job. */
function* readFolder(folder: string): Generator<Entry> {
  const directory = orUndefined(() => opendirSync(folder));
  if (directory === undefined) return;
  try {
    for (;;) {
      const entry = orUndefined(() => directory.readSync());
      if (!entry) return;
      const path = join(folder, entry.name);
      const stats = orUndefined(() => lstatSync(path));
      if (stats !== undefined) yield { path, stats };
    }
  } finally {
    directory.closeSync();
  }
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
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
