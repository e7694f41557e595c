import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Entry } from 'yauzl';
import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import { UnsafeZipError } from '#lib/zips/errors.ts';
import { inspectStoredZip } from '#lib/zips/inspect-zip.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import {
  isFolder,
  openStoredZip,
  readAllEntries,
  UnreadableEntryError,
  unpack,
} from '#lib/zips/stored-zip.ts';
import { JobRefusedError, SystemBusyError } from '../../errors.ts';

/** Wait this long for somebody to make room on the disk. */
const fullDiskSeconds = 60;

/**
 * Unpacks the zip of a job into a folder, by the rules that it was accepted by. A zip from elsewhere
 * is written to `aside` first, because its directory is at its end. Throws a JobRefusedError if it
 * cannot be unpacked safely or expands to more than `maxBytes`.
 */
export async function unpackInput(
  source: ByteSource,
  { folder, aside, maxBytes }: { folder: string; aside: string; maxBytes: number },
): Promise<void> {
  try {
    const { bytes, stream, place } = await source.open();
    if (place) await stream.cancel();
    else await pipeline(stream, createWriteStream(aside, { mode: 0o600 }));
    const file = await open(place?.path ?? aside);
    try {
      await unpackFile(file, bytes, folder, maxBytes);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw explain(error);
  } finally {
    await rm(aside, { force: true });
  }
}

async function unpackFile(
  file: FileHandle,
  bytes: number,
  folder: string,
  maxBytes: number,
): Promise<void> {
  const store = readFrom(file);
  await inspectStoredZip(store, '', bytes);
  const zip = await openStoredZip(store, '', bytes);
  const entries = await readAllEntries(zip);
  const expanded = entries.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  if (expanded > maxBytes) {
    throw new UnsafeZipError([
      `It expands to ${expanded} bytes, but the files of a job may have ${maxBytes} here.`,
    ]);
  }
  for (const entry of entries) {
    const path = join(folder, entry.fileName);
    await makeFolder(isFolder(entry) ? path : dirname(path));
    if (isFolder(entry)) continue;
    // Never overwrites: the names of two entries may be one to this file system.
    await pipeline(
      unpack(zip, entry),
      createWriteStream(path, { flags: 'wx', mode: modeOf(entry) }),
    );
  }
}

function readFrom(file: FileHandle): RangeStore {
  return {
    async read(_, { first, last }) {
      const length = last - first + 1;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, first);
      return buffer.subarray(0, bytesRead);
    },
  };
}

async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/** Keeps programs executable, if the zip says so. */
function modeOf({ externalFileAttributes }: Entry): number {
  return ((externalFileAttributes >>> 16) & 0o100) !== 0 ? 0o700 : 0o600;
}

const collisions = ['EEXIST', 'ENOTDIR', 'EISDIR'];
const badNames = ['ENAMETOOLONG', 'EILSEQ', 'EINVAL'];
const fullDisk = ['ENOSPC', 'EDQUOT'];

function explain(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (error instanceof UnsafeZipError) return refuse(error.message);
  if (error instanceof UnreadableEntryError) return refuse('It is damaged.');
  if (collisions.includes(code)) return refuse('Two of its entries have the same place.');
  if (badNames.includes(code)) return refuse('This machine cannot store one of its names.');
  if (!fullDisk.includes(code)) return error;
  const said = 'The disk of this machine is full.';
  return new SystemBusyError(said, fullDiskSeconds, { said, cause: error });
}

function refuse(reason: string): JobRefusedError {
  return new JobRefusedError(`The zip cannot be unpacked. ${reason}`);
}
