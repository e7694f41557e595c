import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { ObjectStore } from '../storage/object-store.ts';
import { RangeReader } from './range-reader.ts';
import { zipLimits } from './zip-limits.ts';

/** A zip in the storage, of which no more is read than is needed. There is nothing to close. */
export async function openStoredZip(
  store: ObjectStore,
  key: string,
  bytes: number,
): Promise<ZipFile> {
  const reader = new EntryReader(store, key, bytes);
  return fromRandomAccessReaderPromise(reader, bytes, { autoClose: false });
}

/** Every file of the zip; folders are none. */
export async function readEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > zipLimits.entries) throw new Error('The zip has too many entries.');
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    entry.fileName = readName(entry);
    if (!entry.fileName.endsWith('/')) entries.push(entry);
  }
  return entries;
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

/** The bytes of an entry, which must be what the directory says of them. */
export async function readEntry(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const bytes = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(bytes) !== entry.crc32) throw new Error('The entry is damaged.');
  return bytes;
}

/** Also reads what an entry holds: all of it by one call, so it must be measured before. */
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
        yield await readRange(start, end);
      })(),
    );
  }
}
