import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { link, lstat, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { openPrivateFolder } from '../credentials/private-folder.ts';
import type { ObjectPlace, Objects } from './objects.ts';
import { keepPartsOnDisk } from './parts-on-disk.ts';

/** File systems usually limit names to 255 bytes. */
const partOfName = /.{1,200}/g;

/**
 * Stores one file per object. Writes each to a draft and moves it into place, so that readers never
 * see half a file, even after a crash. Removes drafts of a crashed process first, so call this
 * before anything writes.
 */
export function keepObjectsOnDisk(directory: string): Objects {
  openPrivateFolder(directory);
  rmSync(join(directory, 'incoming'), { recursive: true, force: true });
  return shareObjectsOnDisk(directory);
}

/** Opens the folder in a second thread, after the first one has opened it. */
export function shareObjectsOnDisk(directory: string): Objects {
  const incoming = join(directory, 'incoming');
  const locate = (place: ObjectPlace) => join(directory, 'buckets', fileOf(place));
  const disk = watchDisk(directory);
  const folders = rememberFolders();
  const partsOf = (place: ObjectPlace) => join(directory, 'parts', fileOf(place));
  const parts = keepPartsOnDisk({ folderOf: partsOf, fileOf: locate });
  return {
    parts: {
      ...parts,
      begin: disk.guard(parts.begin),
      write: disk.guard(parts.write),
      join: disk.guard(parts.join),
    },
    canWrite: disk.canWrite,
    write: disk.guard(async (place, content, once) => {
      const file = locate(place);
      await folders.make(incoming);
      await folders.make(dirname(file));
      const draft = join(incoming, randomUUID());
      try {
        await writeFile(draft, content, { mode: 0o600, flush: true });
        if (!once) {
          await rename(draft, file);
          return true;
        }
        const isFirst = await linkOnce(draft, file);
        await rm(draft, { force: true });
        return isFirst;
      } catch (error) {
        // A folder may have been removed, so create it again next time.
        folders.forget();
        await rm(draft, { force: true });
        throw error;
      }
    }),
    async find(place) {
      const file = locate(place);
      const found = await describe(file);
      return found && { ...found, open: (start, end) => createReadStream(file, { start, end }) };
    },
    adopt: disk.guard(async (place, { path, device, inode }) => {
      const file = locate(place);
      await folders.make(incoming);
      await folders.make(dirname(file));
      const draft = join(incoming, randomUUID());
      try {
        await link(path, draft);
        // The job may have put another file into its place.
        const { dev, ino } = await lstat(draft);
        if (dev !== device || ino !== inode) return false;
        await rename(draft, file);
        return true;
      } catch (error) {
        if (unlinkable.some((code) => hasCode(error, code))) return false;
        throw error;
      } finally {
        await rm(draft, { force: true });
      }
    }),
    remove: disk.guard(async (place) => {
      await rm(locate(place), { force: true });
      await rm(partsOf(place), { recursive: true, force: true });
    }),
  };
}

/** The file is gone, on another disk, or on one without links, or has too many of them. */
const unlinkable = ['ENOENT', 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK'];

const mostFolders = 10_000;

/** Creates folders, and remembers them to skip repeated `mkdir` calls. There is one per user. */
function rememberFolders() {
  const made = new Set<string>();
  return {
    async make(folder: string): Promise<void> {
      if (made.has(folder)) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      if (made.size >= mostFolders) made.clear();
      made.add(folder);
    },
    forget: () => made.clear(),
  };
}

/**
 * Errors of a full, read-only or broken disk, and of a process without free file handles. `mkdir`
 * reports ENOENT on a read-only disk.
 */
const shortages = new Set([
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOENT',
]);

export function isShortage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && shortages.has(String(error.code));
}

/**
 * Converts disk errors to StorageUnavailableError, and remembers the failure until a write
 * succeeds.
 */
function watchDisk(directory: string) {
  let hasFailed = false;
  return {
    guard:
      <Inputs extends unknown[], Result>(task: (...inputs: Inputs) => Promise<Result>) =>
      async (...inputs: Inputs): Promise<Result> => {
        try {
          const result = await task(...inputs);
          hasFailed = false;
          return result;
        } catch (error) {
          if (!isShortage(error)) throw error;
          if (!hasFailed)
            console.error(`Files cannot be written to ${directory}: ${error.message}`);
          hasFailed = true;
          throw new StorageUnavailableError({ cause: error });
        }
      },
    canWrite(): boolean {
      const probe = join(directory, 'probe');
      try {
        if (hasFailed) writeFileSync(probe, Buffer.alloc(4096), { mode: 0o600 });
        hasFailed = false;
      } catch {
        return false;
      } finally {
        rmSync(probe, { force: true });
      }
      return true;
    },
  };
}

/** Removes all objects below a folder. Call it only before the storage is in use. */
export function removeFolder(directory: string, { bucket, key }: ObjectPlace): void {
  const folder = [bucket, ...key.split('/')].map(encodeName).join('/');
  rmSync(join(directory, 'buckets', folder), { recursive: true, force: true });
}

/**
 * Links the draft to its place. A link fails if the file exists, so check and creation are atomic.
 */
async function linkOnce(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function describe(file: string) {
  try {
    const { size, dev, ino, mtimeMs } = await stat(file);
    return {
      bytes: size,
      version: `${ino.toString(36)}-${mtimeMs.toString(36)}`,
      place: { path: file, device: dev, inode: ino },
    };
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Maps a key to a file path. Names are encoded so that no key can escape the folder or collide with
 * another: files end in `=`, parts of long names in `~`, and an empty name is `%`. No encoded name
 * looks like any of these.
 */
export function fileOf({ bucket, key }: ObjectPlace): string {
  return `${[bucket, ...key.split('/')].map(encodeName).join('/')}=`;
}

function encodeName(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll('~', '%7E').replace(/^\./, '%2E');
  return encoded.match(partOfName)?.join('~/') ?? '%';
}
