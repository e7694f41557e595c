import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RemoteFile } from '../../connector.ts';
import { partsOfFolder } from '../record/job-folder.ts';
import { describeFile, isPlain, streams } from './file-ids.ts';
import { hasOpenFiles } from './job-files.ts';

/** The limits of one listing, because a job may have written a million files. */
export interface ListingLimits {
  readonly files: number;
  readonly folders: number;
  /** Entries that are looked at. Links and names that cannot be shown cost time too. */
  readonly entries: number;
}

/** One file more than an input may have, so that a chain is refused instead of getting a part. */
const usualLimits: ListingLimits = { files: 10_001, folders: 1_000, entries: 20_000 };

/**
 * Lists the output of a job and the files in its working directory, breadth first, so that the
 * deepest are cut off. Links are left out, because they may lead anywhere. Folders are read piece by
 * piece and no further than the limits, in the order in which the disk has them. Blocks its thread,
 * which takes a tenth of the time that waiting for each file would: call it where nobody waits.
 */
export function listJobFiles(folder: string, limits: ListingLimits = usualLimits): RemoteFile[] {
  const files: RemoteFile[] = [];
  for (const file of findFiles(folder, limits)) {
    files.push(file);
    if (files.length === limits.files) break;
  }
  return files;
}

function* findFiles(folder: string, limits: ListingLimits): Generator<RemoteFile> {
  for (const name of streams) {
    const bytes = measureFile(join(folder, name));
    if (bytes !== undefined) yield { id: name, name, bytes };
  }
  const work = attempt(() => realpathSync(join(folder, partsOfFolder.work)));
  if (work === undefined) return;
  for (const { path, place, isFile } of walk(work, limits)) {
    const bytes = isFile ? measureFile(place) : undefined;
    if (bytes !== undefined) yield describeFile({ folder }, path, bytes);
  }
}

interface Found {
  /** From the working directory. */
  readonly path: string;
  /** The same entry, even if a folder above it was moved meanwhile. */
  readonly place: string;
  readonly isFile: boolean;
}

function* walk(work: string, { folders, entries }: ListingLimits): Generator<Found> {
  let seen = 0;
  const paths = [''];
  for (const path of paths) {
    for (const { entry, here } of readFolder(join(work, path))) {
      seen += 1;
      if (seen > entries) return;
      if (!isPlain(entry.name)) continue;
      const found = join(path, entry.name);
      if (entry.isDirectory() && paths.length < folders) paths.push(found);
      yield { path: found, place: join(here, entry.name), isFile: entry.isFile() };
    }
  }
}

/** The entries that are fetched at once. */
const pieceOfFolder = 256;

/**
 * Reads the entries of a folder as long as somebody asks for more. Yields nothing for a folder that
 * is gone or cannot be read.
 */
function* readFolder(path: string): Generator<{ entry: Dirent; here: string }> {
  const opened = openPlainFolder(path);
  if (!opened) return;
  try {
    for (const entry of opened.entries()) yield { entry, here: opened.here };
  } finally {
    opened.close();
  }
}

/** A folder, and a place in which its entries are the same even if a folder above it is moved. */
interface PlainFolder {
  readonly here: string;
  entries(): Generator<Dirent>;
  close(): void;
}

/**
 * Opens a folder, but nothing that a link leads to. `path` must be without links itself. Returns
 * undefined for a folder that is gone or cannot be read.
 */
export function openPlainFolder(path: string): PlainFolder | undefined {
  const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = constants;
  const handle = attempt(() => openSync(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY));
  if (handle === undefined) return undefined;
  const here = hasOpenFiles ? `/proc/self/fd/${handle}` : path;
  const place = attempt(() => (hasOpenFiles ? readlinkSync(here) : realpathSync(path)));
  // A link above this folder may have led elsewhere.
  const folder =
    place === path ? attempt(() => opendirSync(here, { bufferSize: pieceOfFolder })) : undefined;
  if (!folder) {
    closeSync(handle);
    return undefined;
  }
  return {
    here,
    *entries() {
      const readNext = () => attempt(() => folder.readSync());
      for (let entry = readNext(); entry; entry = readNext()) yield entry;
    },
    close() {
      folder.closeSync();
      closeSync(handle);
    },
  };
}

/** Returns undefined for what is not a file, or is gone. */
export function measureFile(path: string): number | undefined {
  const found = attempt(() => lstatSync(path, { throwIfNoEntry: false }));
  return found?.isFile() ? found.size : undefined;
}

/** The job may remove anything while it is listed. Returns undefined then. */
export function attempt<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
