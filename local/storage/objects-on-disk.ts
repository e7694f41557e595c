import { randomUUID } from 'node:crypto';
import { createReadStream, rmSync, writeFileSync } from 'node:fs';
import { link, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StorageUnavailableError } from '#lib/files/errors.ts';
import { openPrivateFolder } from '../credentials/private-folder.ts';
import type { ObjectPlace, Objects } from './objects.ts';

/** A little below the limit of file systems for one name. */
const partOfName = /.{1,200}/g;

/**
 * One file per object. It is written beside its place and then put there whole, so that a reader,
 * or the next start after a crash, never meets half of one. What a crash has left of others is taken
 * away first: nobody writes yet.
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
  return {
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
        // Somebody may have removed one of them.
        folders.forget();
        await rm(draft, { force: true });
        throw error;
      }
    }),
    async find(place) {
      const file = locate(place);
      const bytes = await sizeOf(file);
      if (bytes === undefined) return undefined;
      return { bytes, open: (start, end) => createReadStream(file, { start, end }) };
    },
    remove: disk.guard(async (place) => {
      await rm(locate(place), { force: true });
    }),
  };
}

const mostFolders = 10_000;

/** Makes folders, each once as long as nothing fails: there is one for each user. */
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

/** A disk that is full, read-only or broken. ENOENT is what `mkdir` says on a read-only one. */
const shortages = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EROFS',
  'EACCES',
  'EPERM',
  'EIO',
  'ENOENT',
]);

/** Tells failures of the disk from others, and remembers that there was one until it takes something again. */
function watchDisk(directory: string) {
  let hasFailed = false;
  const isShort = (error: unknown): error is Error =>
    error instanceof Error && 'code' in error && shortages.has(String(error.code));
  return {
    guard:
      <Inputs extends unknown[], Result>(task: (...inputs: Inputs) => Promise<Result>) =>
      async (...inputs: Inputs): Promise<Result> => {
        try {
          const result = await task(...inputs);
          hasFailed = false;
          return result;
        } catch (error) {
          if (!isShort(error)) throw error;
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

/** Removes all objects below a folder; only before anybody uses the storage. */
export function removeFolder(directory: string, { bucket, key }: ObjectPlace): void {
  const folder = [bucket, ...key.split('/')].map(encodeName).join('/');
  rmSync(join(directory, 'buckets', folder), { recursive: true, force: true });
}

/** A link fails where something is already, in the one step that also puts it there. */
async function linkOnce(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/**
 * Folders as the key has them, each name encoded so that none can lead outside or mean two things:
 * a file ends in `=`, a part of a long name in `~`, an empty name is `%`, and nothing that was
 * encoded is like any of them.
 */
export function fileOf({ bucket, key }: ObjectPlace): string {
  return `${[bucket, ...key.split('/')].map(encodeName).join('/')}=`;
}

function encodeName(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll('~', '%7E').replace(/^\./, '%2E');
  return encoded.match(partOfName)?.join('~/') ?? '%';
}
