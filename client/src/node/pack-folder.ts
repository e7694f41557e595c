import { createReadStream, type Dirent, mkdtempSync, rmSync } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Progress } from '../calls/put-file.ts';
import { phrase } from '../words/folders.ts';
import { type Packed, writeZip, type ZipEntry } from '../zip.ts';
import { openAsBlob } from './open-as-blob.ts';

export interface PackOptions {
  /** Called with the bytes packed, and their total. */
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
  /** Files from elsewhere that are packed as well, under these names. */
  readonly add?: readonly { readonly name: string; readonly path: string }[];
}

/** A packed folder, in a temporary file that you remove. */
export interface PackedFolder extends TemporaryFile {
  /** The number of files, and their size before packing. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Packs a folder. The zip has names, contents, empty folders and executable flags, but no times.
 * Refuses what a zip cannot hold, such as links. Without a folder, packs the added files alone.
 */
export async function packFolder(
  folder: string | undefined,
  options: PackOptions = {},
): Promise<PackedFolder> {
  const { signal, add = [] } = options;
  const listed = folder === undefined ? [] : await listFolder(folder, signal);
  const added = add.map(async ({ name, path }) => ({ name, path, ...(await measure(path)) }));
  const entries = [...listed, ...(await Promise.all(added))];
  const file = await writeTemporaryFile((zip) => writeZipFile(zip, entries, options));
  return {
    ...file,
    files: entries.filter(({ name }) => !name.endsWith('/')).length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** A file or an empty folder, and its name in the zip. */
export interface FolderEntry extends Required<ZipEntry> {
  readonly path: string;
}

/** The folder cannot be packed as it is. The message says why, and what to do. */
export class FolderNotPackable extends Error {
  override readonly name = 'FolderNotPackable';
}

/** The service accepts this many entries in one zip. */
const mostEntries = 10_000;
const mostNamed = 10;

/**
 * Lists all files of a folder, sorted by name so that the same folder gives the same zip. Names
 * everything that a zip cannot hold at once, instead of leaving it out.
 */
export async function listFolder(folder: string, signal?: AbortSignal): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  const problems: string[] = [];
  await listBelow(folder, '');
  if (entries.length > mostEntries) {
    problems.push(phrase('tooManyFiles', { files: entries.length, most: mostEntries }));
  }
  if (problems.length > 0) throw new FolderNotPackable(describe(folder, problems));
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));

  async function listBelow(directory: string, prefix: string): Promise<void> {
    signal?.throwIfAborted();
    const children = await readdir(directory, { withFileTypes: true });
    if (children.length === 0 && prefix !== '') {
      entries.push({ name: prefix, path: directory, bytes: 0, executable: false });
    }
    for (const child of children) await addChild(child, directory, `${prefix}${child.name}`);
  }

  async function addChild(child: Dirent, directory: string, name: string): Promise<void> {
    const path = join(directory, child.name);
    const problem = judge(child);
    if (problem !== undefined) problems.push(phrase(problem, { name: show(name) }));
    else if (child.isDirectory()) await listBelow(path, `${name}/`);
    else {
      entries.push({ name, path, ...(await measure(path)) });
    }
  }
}

async function measure(path: string): Promise<Pick<FolderEntry, 'bytes' | 'executable'>> {
  const { size, mode } = await stat(path);
  return { bytes: size, executable: (mode & 0o100) !== 0 };
}

function judge(child: Dirent) {
  if (child.name.includes('\ufffd')) return 'notUtf8';
  if (/[\\\p{Cc}]/u.test(child.name)) return 'oddCharacter';
  if (child.isSymbolicLink()) return 'isLink';
  return child.isFile() || child.isDirectory() ? undefined : 'notFile';
}

function describe(folder: string, problems: readonly string[]): string {
  const more = problems.length - mostNamed;
  const lines = [
    ...problems.slice(0, mostNamed),
    ...(more > 0 ? [phrase('andMore', { more })] : []),
  ];
  return [phrase('notPackable', { folder }), ...lines].join('\n');
}

/** Keeps a file name from steering a terminal. */
function show(name: string): string {
  return name.replaceAll(/\p{C}/gu, '?');
}

/** A temporary file, read as a Blob piece by piece. */
export interface TemporaryFile {
  readonly blob: Blob;
  remove(): Promise<void>;
}

/**
 * Writes a temporary file. It is removed when the process exits, but not if the process is killed.
 */
export async function writeTemporaryFile(
  write: (file: FileHandle) => Promise<void>,
): Promise<TemporaryFile> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-input-'));
  const removeNow = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeNow);
  const remove = async () => {
    process.off('exit', removeNow);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const path = join(folder, 'input.zip');
    await writeAndClose(await open(path, 'wx', 0o600), write);
    return { blob: await openAsBlob(path), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function writeAndClose(
  file: FileHandle,
  write: (file: FileHandle) => Promise<void>,
): Promise<void> {
  try {
    await write(file);
  } finally {
    await file.close();
  }
}

interface WriteOptions extends PackOptions {
  /** Tests write sizes with eight bytes from here on. */
  readonly wideFrom?: number;
}

/** Writes a zip of these entries to a file, and never holds more than a piece in memory. */
export async function writeZipFile(
  zip: FileHandle,
  entries: readonly FolderEntry[],
  { onProgress, signal, wideFrom }: WriteOptions,
): Promise<void> {
  const whole = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  await writeZip(entries, { pack, write: writeAt }, wideFrom);

  async function pack({ path }: FolderEntry, start: number): Promise<Packed> {
    let crc = 0;
    let bytes = 0;
    let packed = 0;
    await pipeline(
      createReadStream(path),
      async function* (source) {
        for await (const chunk of source) {
          crc = crc32(chunk, crc);
          bytes += chunk.length;
          done += chunk.length;
          yield chunk;
          onProgress?.(done, whole);
        }
      },
      createDeflateRaw(),
      async (source) => {
        for await (const chunk of source) {
          await writeAt(chunk, start + packed);
          packed += chunk.length;
        }
      },
      { ...(signal && { signal }) },
    );
    return { crc, bytes, packed };
  }

  /** Repeats the write, because one may take less than it is given. */
  async function writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await zip.write(bytes, from, bytes.length - from, position + from);
      from += bytesWritten;
    }
  }
}
