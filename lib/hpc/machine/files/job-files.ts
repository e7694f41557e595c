import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { streamPieces } from '#lib/byte-streams/byte-stream.ts';
import type { OpenedFile, RemoteFile } from '../../connector.ts';
import { RemoteFileNotFoundError } from '../../errors.ts';
import { decodeId, describeFile, type FilesPlace, rootOf, streamsOf } from './file-ids.ts';

/** Node has no way to open a file relative to an open folder, but Linux has names for open files. */
export const hasOpenFiles = existsSync('/proc/self/fd');

/** Finds one file without listing the others. Throws a RemoteFileNotFoundError if there is none. */
export async function findJobFile(place: FilesPlace, fileId: string): Promise<RemoteFile> {
  const file = await openInside(place, fileId);
  const { size, dev: device, ino: inode } = await file.stat();
  await close(file);
  const found = { path: pathOf(place, fileId), device, inode };
  if (isStream(place, fileId)) return { id: fileId, name: fileId, bytes: size, place: found };
  return { ...describeFile(place, decodeId(fileId), size), place: found };
}

/** Opens one of the listed files, as long as it is when it is opened. */
export async function openJobFile(place: FilesPlace, fileId: string): Promise<OpenedFile> {
  const file = await openInside(place, fileId);
  const { size } = await file.stat();
  return { bytes: size, stream: streamPieces(readPieces(file, size), () => void close(file)) };
}

/** Removes one of the listed files, and nothing that a link in its path leads to. */
export async function removeInside(place: FilesPlace, fileId: string): Promise<void> {
  const path = join(await realFolder(rootOf(place)), decodeId(fileId));
  const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = constants;
  const above = dirname(path);
  const folder = await open(above, O_RDONLY | O_NOFOLLOW | O_DIRECTORY).catch(refuseMissing);
  try {
    const here = hasOpenFiles ? `/proc/self/fd/${folder.fd}` : above;
    const found = hasOpenFiles ? await readlink(here) : await realpath(above);
    if (found !== above) throw new RemoteFileNotFoundError();
    await unlink(join(here, basename(path))).catch(refuseMissing);
  } finally {
    await close(folder);
  }
}

function refuseMissing(): never {
  throw new RemoteFileNotFoundError();
}

const realFolder = (path: string) => realpath(path).catch(refuseMissing);

const isStream = (place: FilesPlace, fileId: string) => streamsOf(place).includes(fileId);

function pathOf(place: FilesPlace, fileId: string): string {
  return isStream(place, fileId)
    ? join(place.folder, fileId)
    : join(rootOf(place), decodeId(fileId));
}

/**
 * Opens a file that really is where its path says. The job may have put a link into the path, even
 * while it is opened, or a hard link to a file of somebody else.
 */
async function openInside(from: FilesPlace, fileId: string): Promise<FileHandle> {
  const isOutput = isStream(from, fileId);
  const root = isOutput ? from.folder : rootOf(from);
  const path = isOutput ? fileId : decodeId(fileId);
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(join(root, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(
    refuseMissing,
  );
  const owner = await lstat(rootOf(from)).catch(() => undefined);
  const stats = await file.stat();
  // Output files belong to the service, everything else to the account of the job, or to the group
  // of the project.
  const isShared = from.isProject === true && stats.gid === owner?.gid;
  const isOwn = isOutput || stats.uid === owner?.uid || isShared;
  const expected = join(await realFolder(root), path);
  const place = hasOpenFiles
    ? await readlink(`/proc/self/fd/${file.fd}`)
    : await realpath(join(root, path));
  if (stats.isFile() && isOwn && place === expected) return file;
  await close(file);
  throw new RemoteFileNotFoundError();
}

async function* readPieces(file: FileHandle, bytes: number): AsyncGenerator<Uint8Array> {
  try {
    for (let at = 0; at < bytes; ) {
      const length = Math.min(pieceBytes, bytes - at);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
      // The job has cut the file meanwhile.
      if (bytesRead === 0) return;
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await close(file);
  }
}

const pieceBytes = 1_000_000;

/** Closing a second time is harmless. */
async function close(file: FileHandle): Promise<void> {
  await file.close().catch(() => undefined);
}
