import { chmodSync, lstatSync, opendirSync, type Stats } from 'node:fs';
import { join, sep } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';

const maximalEntries = 1_000_000;
/** Beyond 4095 bytes no program can name a file, so its size could not be read. */
const maximalPath = 3_500;
const entriesPerTurn = 1_000;

export interface MeasuredFiles {
  /** A sentence for a job whose files are too large or too many. */
  readonly excess?: string;
  /** A folder that could not be read, so its files are not counted. */
  readonly unreadable?: string;
}

export interface FileBounds {
  readonly bytes: number;
  /** What the job holds open without a name. */
  readonly nameless: number;
  /** Whether the job has ended, so that its folders can be made readable. */
  readonly isOver: boolean;
}

/** Measures all files of a job, what it printed included. */
export async function measureFiles(folder: string, bounds: FileBounds): Promise<MeasuredFiles> {
  const linked = new Set<string>();
  let bytes = measurePrinted(folder) + bounds.nameless;
  let entries = 0;
  let unreadable: string | undefined;
  for (const { path, stats } of walkFiles(folder, bounds.isOver)) {
    entries += 1;
    if (stats === undefined) unreadable ??= path.toString();
    else if (!stats.isDirectory() && isFirstLink(stats, linked)) bytes += stats.size;
    const excess = explainExcess({ bytes, entries, path }, bounds.bytes);
    if (excess !== undefined) return { excess };
    if (entries % entriesPerTurn === 0) await turn();
  }
  return unreadable === undefined ? {} : { unreadable };
}

interface Counted {
  readonly bytes: number;
  readonly entries: number;
  readonly path: Buffer;
}

function explainExcess({ bytes, entries, path }: Counted, bound: number): string | undefined {
  if (bytes >= bound) return explainSize(bound);
  if (entries > maximalEntries) return `The job wrote more than ${maximalEntries} files.`;
  if (path.length > maximalPath) return 'The job put folders into folders without end.';
  return undefined;
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
  /** Bytes, because a name need not be UTF-8. */
  readonly path: Buffer;
  /** Undefined for what exists but cannot be read. */
  readonly stats: Stats | undefined;
}

function* walkFiles(folder: string, makesReadable: boolean): Generator<Entry> {
  const waiting: Buffer[] = [partsOfFolder.work, partsOfFolder.temporary].map((name) =>
    Buffer.from(join(folder, name)),
  );
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (makesReadable) makeReadable(next);
    for (const entry of readFolder(next)) {
      if (entry.stats?.isDirectory()) waiting.push(entry.path);
      yield entry;
    }
  }
}

const ownerReads = 0o500;

/** A link that took the place of the folder meanwhile is left alone: nothing of the job runs now. */
function makeReadable(folder: Buffer): void {
  const found = orGone(() => lstatSync(folder));
  if (!found?.isDirectory() || (found.mode & ownerReads) === ownerReads) return;
  orGone(() => chmodSync(folder, (found.mode & 0o7777) | ownerReads));
}

/** Each byte of a name is one character, so that a name can be any bytes. */
const encoding = 'latin1';

/** Passes over entries that the job has just removed. */
function* readFolder(folder: Buffer): Generator<Entry> {
  const directory = orGone(() => opendirSync(folder, { encoding }));
  if (directory === undefined) return;
  if (directory === null) {
    yield { path: folder, stats: undefined };
    return;
  }
  try {
    for (;;) {
      const entry = orGone(() => directory.readSync());
      if (!entry) return;
      const path = Buffer.concat([folder, Buffer.from(`${sep}${entry.name}`, encoding)]);
      const stats = orGone(() => lstatSync(path));
      if (stats !== undefined) yield { path, stats: stats ?? undefined };
    }
  } finally {
    directory.closeSync();
  }
}

/** Returns undefined for what is gone, and null for what is there and cannot be read. */
function orGone<T>(read: () => T): T | null | undefined {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return code === 'EACCES' || code === 'EPERM' ? null : undefined;
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
