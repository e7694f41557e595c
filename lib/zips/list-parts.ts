import type { Entry } from 'yauzl';
import type { ZipPart } from './compose-zip.ts';
import { UnsafeZipError } from './errors.ts';
import type { RangeStore } from './range-reader.ts';
import { isFolder, openStoredZip, readAllEntries } from './stored-zip.ts';
import { describeEntry } from './zip-directory.ts';

/**
 * Lists the files and folders of a stored zip, to be passed on without unpacking them. Links and
 * special files are left out, because no input may have them.
 */
export async function listParts(
  store: RangeStore,
  key: string,
  bytes: number,
  window = openWindow(store),
): Promise<ZipPart[]> {
  const zip = await openStoredZip(store, key, bytes);
  const entries = (await readAllEntries(zip)).filter(isPlain);
  return entries.map((entry) => ({
    name: entry.fileName,
    isDeflated: entry.compressionMethod === methods.deflated,
    crc32: entry.crc32,
    packedBytes: entry.compressedSize,
    expandedBytes: entry.uncompressedSize,
    mode: entry.externalFileAttributes >>> 16,
    open: () => window.readEntry({ key, bytes }, entry),
  }));
}

const methods = { stored: 0, deflated: 8 };
const kinds = { unsaid: 0, file: 0o100000, directory: 0o040000 };

function isPlain(entry: Entry): boolean {
  const { kind, method, encrypted, name } = describeEntry(entry);
  if (!Object.values(kinds).includes(kind)) return false;
  const isReadable = method === methods.stored || method === methods.deflated;
  if (isReadable && !encrypted) return true;
  if (isFolder(entry)) return false;
  throw new UnsafeZipError([`'${name}': it is encrypted, or neither stored nor deflated.`]);
}

/** How much is fetched, and so held in memory, at a time. */
const windowBytes = 4_000_000;

const localHeaderBytes = 30;

interface StoredZip {
  readonly key: string;
  readonly bytes: number;
}

/**
 * Reads entries in the order of their places, so that many small ones need few calls. Zips that are
 * read one after the other can share a window, so that only a part of one of them is in memory.
 */
export function openWindow(store: RangeStore) {
  let [shown, first] = ['', 0];
  let content = Buffer.alloc(0);

  async function read(zip: StoredZip, position: number, length: number): Promise<Buffer> {
    const { key, bytes } = zip;
    const start = position - first;
    if (key !== shown || start < 0 || start + length > content.length) {
      const last = Math.min(position + Math.max(length, windowBytes), bytes) - 1;
      if (last < position) throw new UnsafeZipError(['It is damaged or cut off.']);
      content = Buffer.from(await store.read(key, { first: position, last }));
      [shown, first] = [key, position];
    }
    const found = content.subarray(position - first, position - first + length);
    if (found.length < length) throw new UnsafeZipError(['It is damaged or cut off.']);
    return found;
  }

  return {
    async *readEntry(zip: StoredZip, entry: Entry): AsyncGenerator<Uint8Array> {
      const { relativeOffsetOfLocalHeader: place, compressedSize } = entry;
      const header = await read(zip, place, localHeaderBytes);
      const start = place + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
      for (let at = 0; at < compressedSize; at += windowBytes) {
        yield await read(zip, start + at, Math.min(windowBytes, compressedSize - at));
      }
    },
  };
}
