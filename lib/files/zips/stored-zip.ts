import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { type ByteSource, streamPieces } from '#lib/byte-streams/byte-stream.ts';
import { DomainError, isMistake } from '#lib/errors/domain-error.ts';
import { TooManyDownloadsError } from '../errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { RangeReader } from './range-reader.ts';
import { describeEntry, judgeExtent, zipLimits } from './zip-directory.ts';

/** A zip in the storage, of which no more is read than is needed. There is nothing to close. */
export async function openStoredZip(
  store: ObjectStore,
  key: string,
  bytes: number,
): Promise<ZipFile> {
  const reader = new EntryReader(store, key, bytes);
  return fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
}

/**
 * Lists the files of a zip, without its folders. Fails for one whose entries share bytes or expand
 * to more than an input may: a few kilobytes could otherwise name gigabytes to unpack.
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

const unicodePathField = 0x7075;
const madeOnUnix = 3;

/**
 * zip on a machine without a language set up writes names in UTF-8 and does not say so. What is no
 * UTF-8, or was made elsewhere, is in the code page of old, as the format has it.
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

/** How many entries are unpacked at a time, and how many requests may wait for their turn. */
const unpacking = openGate({ width: 4, waiting: 50 }, () => new TooManyDownloadsError());

/** Reads an entry whole. Its bytes must be what the directory says of them. */
export async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  return unpacking(async () => buffer(unpack(zip, entry)));
}

/** Has `use` read an entry piece by piece; reading fails if the entry is damaged. */
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

/** Fails with an UnreadableEntryError, unless the storage is at fault. */
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

/** Lets `width` pieces of work run at a time, has others wait in order, and refuses the rest. */
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
      // The place passes to the next in line, so nobody who comes now can take it.
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/** How much of an entry is fetched, and so held, at a time. */
const pieceBytes = 4_000_000;

/** Also reads what an entry holds. */
class EntryReader extends RangeReader {
  readonly #readRange: (start: number, end: number) => Promise<Uint8Array>;

  constructor(store: ObjectStore, key: string, bytes: number) {
    super(store, key, bytes);
    this.#readRange = (start, end) => store.read(key, { first: start, last: end - 1 });
  }

  /** `end` is not included. */
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
