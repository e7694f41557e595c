import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { type ByteSource, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { DomainError, isMistake } from '#lib/errors/domain-error.ts';
import { TooManyDownloadsError } from '../errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { RangeReader } from './range-reader.ts';
import { describeEntry, judgeExtent, unicodePathField, zipLimits } from './zip-directory.ts';

/** Opens a stored zip and reads only as much as needed. There is nothing to close. */
export async function openStoredZip(
  store: ObjectStore,
  key: string,
  bytes: number,
): Promise<ZipFile> {
  const reader = new EntryReader(store, key, bytes);
  return fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
}

/**
 * Lists the files of a zip without its folders. Throws if entries share bytes or expand to more
 * than an input may, because a few kilobytes could then unpack to gigabytes.
 */
export async function readEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > zipLimits.entries) throw new Error('The zip has too many entries.');
  const directoryOffset = Number(zip.readEntryCursor);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entry.fileName = readName(entry);
    entries.push(entry);
  }
  const extent = { bytes: zip.fileSize, directoryOffset };
  const [problem] = judgeExtent(entries.map(describeEntry), extent);
  if (problem !== undefined) throw new Error(problem);
  return entries.filter(({ fileName }) => !fileName.endsWith('/'));
}

const madeOnUnix = 3;

/**
 * Decodes a name as UTF-8 if it was written on Unix: zip without a locale writes UTF-8 and does not
 * flag it. Anything else is in the format's old code page.
 */
function readName(entry: Entry): string {
  const hasSecondName = entry.extraFields.some(({ id }) => id === unicodePathField);
  if (hasSecondName || entry.versionMadeBy >> 8 !== madeOnUnix) return entry.fileName;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(entry.fileNameRaw);
  } catch {
    return entry.fileName;
  }
}

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

/** Throws an UnreadableEntryError, unless the storage is at fault. */
async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    const pieces: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    let checksum = 0;
    for await (const piece of pieces) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (checksum !== entry.crc32) throw new Error('The entry is damaged.');
  } catch (error) {
    const isDamaged = !(error instanceof DomainError || isMistake(error));
    throw isDamaged ? new UnreadableEntryError({ cause: error }) : error;
  }
}

export class UnreadableEntryError extends Error {
  override readonly name = 'UnreadableEntryError';
  constructor(options: ErrorOptions) {
    super('An entry of a results zip cannot be unpacked.', options);
  }
}

interface GateLimits {
  readonly width: number;
  readonly waiting: number;
}

/** Runs `width` tasks at a time, lets others wait in order, and refuses the rest. */
export function openGate({ width, waiting }: GateLimits, refuse: () => Error) {
  const queue: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < width) running += 1;
    else if (queue.length >= waiting) throw refuse();
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      // Passes the slot to the next in line, so a newcomer cannot take it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** How much of an entry is fetched, and so held in memory, at a time. */
const pieceBytes = 4_000_000;

/** Also reads the content of entries, in pieces. */
class EntryReader extends RangeReader {
  readonly #readRange: (start: number, end: number) => Promise<Uint8Array>;

  constructor(store: ObjectStore, key: string, bytes: number) {
    super(store, key, bytes);
    this.#readRange = (start, end) => store.read(key, { first: start, last: end - 1 });
  }

  /** Reads up to `end`, not included. */
  override _readStreamForRange(start: number, end: number): Readable {
    const readRange = this.#readRange;
    return Readable.from(
      (async function* () {
        for (let at = start; at < end; at += pieceBytes) {
          yield await readRange(at, Math.min(at + pieceBytes, end));
        }
      })(),
    );
  }
}
