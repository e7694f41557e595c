import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { link, mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPrivateFolder } from '../credentials/private-folder.ts';
import type { ObjectPlace, Objects } from './objects.ts';

/** What file systems take as one name, and a little less. */
const partOfName = /.{1,200}/g;

/**
 * One file per object. It is written beside its place and then put there whole, so that a reader,
 * or the next start after a crash, never meets half of one. What a crash has left of others is taken
 * away first: nobody writes yet.
 */
export function keepObjectsOnDisk(directory: string): Objects {
  openPrivateFolder(directory);
  const incoming = join(directory, 'incoming');
  rmSync(incoming, { recursive: true, force: true });
  const locate = (place: ObjectPlace) => join(directory, 'buckets', fileOf(place));
  return {
    async write(place, content, once) {
      const file = locate(place);
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      const draft = join(incoming, randomUUID());
      try {
        await pipeline(content, createWriteStream(draft, { mode: 0o600, flush: true }));
        if (!once) await rename(draft, file);
        return once ? await linkOnce(draft, file) : true;
      } finally {
        await rm(draft, { force: true });
      }
    },
    async find(place) {
      const file = locate(place);
      const bytes = await sizeOf(file);
      if (bytes === undefined) return undefined;
      return { bytes, open: (start, end) => createReadStream(file, { start, end }) };
    },
    async remove(place) {
      await rm(locate(place), { force: true });
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
