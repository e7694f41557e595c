import { createHash } from 'node:crypto';
import type { Entry, ZipFile } from 'yauzl';
import { isMistake } from '#lib/errors/domain-error.ts';
import type { RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import type { RangeStore } from '#lib/zips/range-reader.ts';
import { type DirectoryStart, walkLimits } from '#lib/zips/walk-directory.ts';
import { zipLimits } from '#lib/zips/zip-directory.ts';
import { ObjectNotFoundError, StorageUnavailableError, TooManyDownloadsError } from '../errors.ts';
import { resultsKey, type SendingRun } from '../object-keys.ts';
import {
  chooseByName,
  choosePage,
  type FetchedFile,
  type FileSource,
  inlineBytes,
  nameToSave,
  pointToFile,
  sortByName,
} from './job-file.ts';
import { pageOfZip, placeOfLine } from './page-of-zip.ts';
import { type RelayStores, relayFile } from './relay-files.ts';

/** The id of the whole zip. The ids of its entries have no dot. */
const wholeZip = 'results.zip';

/** The largest entry that the service unpacks. */
const unpackedBytes = 64_000_000;

/**
 * Opens the zip that a run sent. Its content is not trusted: if it cannot be unpacked safely, the
 * caller gets the zip as it is.
 */
export function openResultsZip(stores: RelayStores, run: SendingRun): FileSource {
  const { results } = stores;
  const { owner, jobId } = run;
  const key = resultsKey(run);
  const handOutZip = () => pointToFile(results, key, wholeZip);

  /** Returns the zip and its files, or undefined if it is unreadable or not safe to unpack. */
  async function open(bytes: number, store: RangeStore = results) {
    const { openStoredZip, readEntries } = await loadZips();
    return unlessUnreadable(
      openStoredZip(store, key, bytes).then(async (zip) => {
        return { zip, entries: await readEntries(zip) };
      }),
    );
  }

  /** Returns where the directory is, if it has too many lines to hold. */
  async function findLarge(bytes: number): Promise<DirectoryStart | undefined> {
    const { openStoredZip } = await loadZips();
    const zip = await unlessUnreadable(openStoredZip(results, key, bytes));
    if (!zip || zip.entryCount <= zipLimits.entries) return undefined;
    if (zip.entryCount > walkLimits.lines) return undefined;
    return { at: Number(zip.readEntryCursor), lines: zip.entryCount };
  }

  /** Reads the one line of the directory that is there. */
  async function openLine(bytes: number, at: number) {
    const { openStoredZip } = await loadZips();
    return unlessUnreadable(
      openStoredZip(results, key, bytes).then(async (zip) => {
        // Where the library reads next. Its types wrongly call this number a boolean.
        Object.assign(zip, { readEntryCursor: at });
        for await (const entry of zip.eachEntry()) return { zip, entry };
        return undefined;
      }),
    );
  }

  async function openEntry(bytes: number, fileId: string) {
    const at = placeOfLine(fileId);
    const line = at === undefined ? undefined : await openLine(bytes, at);
    if (line) return line;
    const opened = await open(bytes);
    const entry = opened?.entries.findLast(({ fileName }) => nameId(fileName) === fileId);
    if (!opened || !entry) throw new RemoteFileNotFoundError();
    return { zip: opened.zip, entry };
  }

  async function unpack(zip: ZipFile, entry: Entry, fileId: string): Promise<FetchedFile> {
    const { readEntry, withEntry } = await import('./unpack-entries.ts');
    const { fileName: name, uncompressedSize: bytes } = entry;
    if (bytes <= inlineBytes) {
      return { kind: 'bytes', name: nameToSave(name), bytes: await readEntry(zip, entry) };
    }
    const file = { owner, jobId, fileId, name, bytes, settled: true };
    return withEntry(zip, entry, async (source) => {
      try {
        return await relayFile(stores, file, source);
      } catch (error) {
        // Handing out the zip needs no room, because no copy is made.
        if (error instanceof TooManyDownloadsError) return handOutZip();
        throw error;
      }
    });
  }

  async function list(): Promise<RemoteFile[]> {
    const bytes = await results.measure(key);
    if (bytes === undefined) return [];
    const opened = await open(bytes);
    if (!opened) return [{ id: wholeZip, name: wholeZip, bytes }];
    return sortByName(describeEntries(opened.entries));
  }

  return {
    list,
    async page(wish) {
      const bytes = await results.measure(key);
      const start = bytes === undefined ? undefined : await findLarge(bytes);
      if (bytes === undefined || !start) return choosePage(await list(), wish);
      const page = await unlessUnreadable(pageOfZip(results, { key, bytes }, start, wish));
      return page ?? choosePage(await list(), wish);
    },
    async fetch(fileId) {
      const bytes = await results.measure(key);
      if (bytes === undefined) throw new RemoteFileNotFoundError();
      if (fileId === wholeZip) return handOutZip();
      const { zip, entry } = await openEntry(bytes, fileId);
      if (!canUnpack(entry)) return handOutZip();
      const { UnreadableEntryError } = await loadZips();
      try {
        return await unpack(zip, entry, fileId);
      } catch (error) {
        if (error instanceof UnreadableEntryError) return handOutZip();
        throw error;
      }
    },
    async find(name, mostBytes) {
      const bytes = await results.measure(key);
      if (bytes === undefined) return undefined;
      const store = bytes <= wholeBytes ? keepWhole(await results.read(key)) : results;
      const opened = await open(bytes, store);
      const entry = chooseByName(opened?.entries ?? [], ({ fileName }) => fileName, name);
      if (!opened || !entry) return undefined;
      const { fileName } = entry;
      const file = { id: nameId(fileName), name: fileName, bytes: entry.uncompressedSize };
      if (Math.max(file.bytes, entry.compressedSize) > mostBytes) return file;
      const { unpackSmall, UnreadableEntryError } = await loadZips();
      try {
        return { ...file, content: await unpackSmall({ store, key }, opened.zip, entry) };
      } catch (error) {
        if (error instanceof UnreadableEntryError) return file;
        throw error;
      }
    },
  };
}

/** A zip up to this many bytes is fetched by one call instead of three. */
const wholeBytes = 500_000;

function keepWhole(zip: Uint8Array): RangeStore {
  return { read: async (_, { first, last }) => zip.subarray(first, last + 1) };
}

/** Loaded only if there is a zip to read, because not all systems have their jobs send one. */
function loadZips() {
  return import('#lib/zips/stored-zip.ts');
}

function canUnpack(entry: Entry): boolean {
  const largest = Math.max(entry.uncompressedSize, entry.compressedSize);
  return largest <= unpackedBytes && entry.canDecodeFileData();
}

/** If several entries have the same name, the last one counts, as in most programs. */
function describeEntries(entries: readonly Entry[]) {
  const files = entries.map(({ fileName, uncompressedSize }) => ({
    id: nameId(fileName),
    name: fileName,
    bytes: uncompressedSize,
  }));
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/** Makes a short id that is safe in a path, whatever the name is. */
function nameId(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isOurs = error instanceof StorageUnavailableError || error instanceof ObjectNotFoundError;
    if (isOurs || isMistake(error)) throw error;
    return undefined;
  }
}
