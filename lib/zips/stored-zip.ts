import { Readable } from 'node:stream';
import { crc32, inflateRawSync } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { DomainError, isMistake } from '#lib/errors/domain-error.ts';
import { listEntries } from './list-entries.ts';
import { RangeReader, type RangeStore } from './range-reader.ts';
import { describeEntry, judgeExtent, methods, unicodePathField } from './zip-directory.ts';

/** Opens a stored zip and reads only as much as needed. There is nothing to close. */
export async function openStoredZip(
  store: RangeStore,
  key: string,
  bytes: number,
): Promise<ZipFile> {
  const reader = new EntryReader(store, key, bytes);
  return fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
}

/** Lists the files of a zip without its folders. */
export async function readEntries(zip: ZipFile): Promise<Entry[]> {
  return (await readAllEntries(zip)).filter((entry) => !isFolder(entry));
}

export function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}

/**
 * Lists the files and folders of a zip. Throws if entries share bytes or expand to more than an
 * input may, because a few kilobytes could then unpack to gigabytes.
 */
export async function readAllEntries(zip: ZipFile): Promise<Entry[]> {
  const directoryOffset = Number(zip.readEntryCursor);
  const entries = await listEntries(zip);
  for (const entry of entries) entry.fileName = readName(entry);
  const extent = { bytes: zip.fileSize, directoryOffset };
  const [problem] = judgeExtent(entries.map(describeEntry), extent);
  if (problem !== undefined) throw new Error(problem);
  return entries;
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

/**
 * Expands an entry piece by piece. Throws an UnreadableEntryError, unless the storage is at fault.
 */
export async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  try {
    const pieces: AsyncIterable<Buffer> = await zip.openReadStreamPromise(entry);
    let checksum = 0;
    for await (const piece of pieces) {
      checksum = crc32(piece, checksum);
      yield piece;
    }
    if (checksum !== entry.crc32) throw new Error('The entry is damaged.');
  } catch (error) {
    throw judgeFault(error);
  }
}

/** Blames the zip for whatever is neither a fault of the storage nor a mistake of ours. */
function judgeFault(error: unknown): unknown {
  const isDamaged = !(error instanceof DomainError || isMistake(error));
  return isDamaged ? new UnreadableEntryError({ cause: error }) : error;
}

/**
 * Expands a small entry at once, which is several times as fast as piece by piece. Throws an
 * UnreadableEntryError, unless the storage is at fault.
 */
export async function unpackSmall(
  { store, key }: { readonly store: RangeStore; readonly key: string },
  zip: ZipFile,
  entry: Entry,
): Promise<Buffer> {
  try {
    const { compressedSize, uncompressedSize, compressionMethod } = entry;
    if (compressedSize === 0) return Buffer.alloc(0);
    const { fileDataStart: first } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const packed = Buffer.from(await store.read(key, { first, last: first + compressedSize - 1 }));
    // One piece as long as the whole takes a tenth of the time of many.
    const chunkSize = Math.max(64, uncompressedSize);
    const content =
      compressionMethod === methods.stored
        ? packed
        : inflateRawSync(packed, { maxOutputLength: Math.max(1, uncompressedSize), chunkSize });
    const isWhole = content.length === uncompressedSize && crc32(content) === entry.crc32;
    if (!isWhole) throw new Error('The entry is damaged.');
    return content;
  } catch (error) {
    throw judgeFault(error);
  }
}

export class UnreadableEntryError extends Error {
  override readonly name = 'UnreadableEntryError';
  constructor(options: ErrorOptions) {
    super('An entry of the zip cannot be unpacked.', options);
  }
}

/** How much of an entry is fetched, and so held in memory, at a time. */
const pieceBytes = 4_000_000;

/** Also reads the content of entries, in pieces. */
class EntryReader extends RangeReader {
  readonly #readRange: (start: number, end: number) => Promise<Uint8Array>;

  constructor(store: RangeStore, key: string, bytes: number) {
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
