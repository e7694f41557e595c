import { constants, existsSync } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { streamPieces } from '#lib/byte-streams/byte-stream.ts';
import type { OpenedFile, RemoteFile } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { decodeId, nameOf, streams } from './file-ids.ts';
import { partsOfFolder } from './job-folder.ts';

/** Node has no way to open a file relative to an open folder, but Linux has names for open files. */
export const hasOpenFiles = existsSync('/proc/self/fd');

/** Finds one file without listing the others. Throws a RemoteFileNotFoundError if there is none. */
export async function findJobFile(folder: string, fileId: string): Promise<RemoteFile> {
  const path = pathOf(fileId);
  const file = await openInside(folder, path);
  const { size, dev: device, ino: inode } = await file.stat();
  await close(file);
  const name = streams.includes(fileId) ? fileId : nameOf(decodeId(fileId));
  return { id: fileId, name, bytes: size, place: { path: join(folder, path), device, inode } };
}

/** Opens one of the listed files, as long as it is when it is opened. */
export async function openJobFile(folder: string, fileId: string): Promise<OpenedFile> {
  const file = await openInside(folder, pathOf(fileId));
  const { size } = await file.stat();
  return { bytes: size, stream: streamPieces(readPieces(file, size), () => void close(file)) };
}

function pathOf(fileId: string): string {
  return streams.includes(fileId) ? fileId : join(partsOfFolder.work, decodeId(fileId));
}

/**
 * Opens a file that really is where its path says. The job may have put a link into the path, even
 * while it is opened, or a hard link to a file of somebody else.
 */
async function openInside(folder: string, path: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const file = await open(join(folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
    throw new RemoteFileNotFoundError();
  });
  const work = await lstat(join(folder, partsOfFolder.work)).catch(() => undefined);
  const stats = await file.stat();
  // Output files belong to the service, everything else to the account of the job.
  const isOwn = streams.includes(path) || stats.uid === work?.uid;
  const expected = join(await realpath(folder), path);
  const place = hasOpenFiles
    ? await readlink(`/proc/self/fd/${file.fd}`)
    : await realpath(join(folder, path));
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
