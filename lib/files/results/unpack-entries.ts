import { buffer } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import { type ByteSource, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { openGate } from '#lib/concurrency/open-gate.ts';
import { unpack } from '#lib/zips/stored-zip.ts';
import { TooManyDownloadsError } from '../errors.ts';

/** Four entries are unpacked at a time, and up to 50 requests may wait for their turn. */
const unpacking = openGate({ width: 4, waiting: 50 }, () => new TooManyDownloadsError());

/** Reads a whole entry. Its bytes must match the directory. */
export async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  return unpacking(async () => buffer(unpack(zip, entry)));
}

/** Lets `use` read an entry piece by piece. Reading fails if the entry is damaged. */
export async function withEntry<Result>(
  zip: ZipFile,
  entry: Entry,
  use: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  const source = {
    open: async () => ({
      bytes: entry.uncompressedSize,
      stream: streamPieces(unpack(zip, entry), () => undefined),
    }),
  };
  return unpacking(() => use(source));
}
