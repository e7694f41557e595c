import { constants, existsSync, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { streamPieces } from '#lib/byte-streams/byte-stream.ts';
import type { OpenedFile, RemoteFile } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { partsOfFolder } from './job-folder.ts';

/** Limits of one listing, because a job may have written a million files. */
const maxFolders = 1000;
const maxFiles = 10_000;

/** The output of the command. Their ids are their names; those of other files are never so. */
const streams: readonly string[] = [partsOfFolder.stdout, partsOfFolder.stderr];

/** Node has no way to open a file relative to an open folder, but Linux has names for open files. */
const hasOpenFiles = existsSync('/proc/self/fd');

/**
 * Lists the output of a job and the files in its working directory, breadth first, so that the
 * deepest are cut off. Links are left out, because they may lead anywhere.
 */
export async function listJobFiles(folder: string): Promise<RemoteFile[]> {
  const output = await Promise.all(
    streams.map(async (name) => {
      const found = await look(join(folder, name));
      return found?.isFile() ? [{ id: name, name, bytes: found.size }] : [];
    }),
  );
  const work = await realpath(join(folder, partsOfFolder.work)).catch(() => undefined);
  const files = work === undefined ? [] : await listBelow(work);
  return [...output.flat(), ...files].slice(0, maxFiles);
}

async function listBelow(work: string): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  const paths = [''];
  for (const path of paths) {
    for (const { name, stats } of await readFolder(join(work, path))) {
      const found = join(path, name);
      if (stats.isDirectory() && paths.length < maxFolders) paths.push(found);
      if (stats.isFile()) {
        files.push({ id: encodeId(found), name: nameOf(found), bytes: stats.size });
      }
    }
    if (files.length >= maxFiles) break;
  }
  return files;
}

/** Opens one of the listed files, as long as it is when it is opened. */
export async function openJobFile(folder: string, fileId: string): Promise<OpenedFile> {
  const path = streams.includes(fileId) ? fileId : join(partsOfFolder.work, decodeId(fileId));
  const file = await openInside(folder, path);
  const { size } = await file.stat();
  return { bytes: size, stream: streamPieces(readPieces(file, size), () => void close(file)) };
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
  const work = await look(join(folder, partsOfFolder.work));
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

/**
 * Reads a folder, but nothing that a link leads to. `path` must be without links itself. Returns
 * nothing for a folder that is gone.
 */
async function readFolder(path: string): Promise<{ name: string; stats: Stats }[]> {
  const { O_RDONLY, O_NOFOLLOW, O_DIRECTORY } = constants;
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_DIRECTORY).catch(() => undefined);
  if (!handle) return [];
  try {
    const here = hasOpenFiles ? `/proc/self/fd/${handle.fd}` : path;
    // A link above this folder may have led elsewhere.
    if ((hasOpenFiles ? await readlink(here) : await realpath(path)) !== path) return [];
    const names = (await readdir(here)).filter(isPlain).slice(0, maxFiles);
    const found = await Promise.all(
      names.map(async (name) => ({ name, stats: await look(join(here, name)) })),
    );
    return found.flatMap(({ name, stats }) => (stats ? [{ name, stats }] : []));
  } catch {
    return [];
  } finally {
    await close(handle);
  }
}

function look(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
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

/** Leaves out names that could not be shown, or that Node cannot read because they are not UTF-8. */
function isPlain(name: string): boolean {
  return !/[\p{C}\uFFFD]/u.test(name);
}

/** A file of the job that is called like its output must not be taken for it. */
function nameOf(path: string): string {
  return streams.includes(path) ? `${partsOfFolder.work}/${path}` : path;
}

/** Most files are called by their name in an address too. Others are encoded, after a mark. */
const encodedMark = '~';

function encodeId(path: string): string {
  const isSimple = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(path) && !streams.includes(path);
  return isSimple ? path : `${encodedMark}${Buffer.from(path).toString('base64url')}`;
}

function decodeId(fileId: string): string {
  const path = fileId.startsWith(encodedMark)
    ? Buffer.from(fileId.slice(encodedMark.length), 'base64url').toString()
    : fileId;
  const parts = path.split('/');
  const isSafe = isPlain(path) && !parts.some((part) => ['', '.', '..'].includes(part));
  if (!isSafe || encodeId(path) !== fileId) throw new RemoteFileNotFoundError();
  return path;
}
