import { createHash } from 'node:crypto';
import type { Entry } from 'yauzl';
import type { JobId, UserId } from '#lib/catalog/identifiers.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { ObjectNotFoundError, StorageUnavailableError } from '../errors.ts';
import { relayKey, resultsKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { handOutFile, pointToFile } from './hand-out-file.ts';
import { type FileSource, sortByName } from './job-file.ts';

/** The id of the whole zip. Those of its entries have no dot. */
const wholeZip = 'results.zip';

/** The largest entry that is unpacked: it is held in memory on its way. */
const unpackedBytes = 64_000_000;

/**
 * Files that a job sent itself, as one zip. It comes from the job, so nothing in it is believed:
 * what cannot be unpacked here is handed out as the zip that it came in.
 */
export function openResultsZip(results: ObjectStore, owner: UserId, jobId: JobId): FileSource {
  const key = resultsKey(owner, jobId);
  return {
    async list() {
      const bytes = await results.measure(key);
      if (bytes === undefined) return [];
      const whole = [{ id: wholeZip, name: wholeZip, bytes }];
      const { openStoredZip, readEntries } = await loadZips();
      const entries = await unlessUnreadable(openStoredZip(results, key, bytes).then(readEntries));
      return entries ? sortByName(describeEntries(entries)) : whole;
    },
    async fetch(fileId) {
      const bytes = await results.measure(key);
      if (bytes === undefined) throw new RemoteFileNotFoundError();
      if (fileId === wholeZip) return pointToFile(results, key, wholeZip);
      const entry = await unlessUnreadable(unpack(results, key, bytes, fileId));
      if (!entry) throw new RemoteFileNotFoundError();
      if (!entry.bytes) return pointToFile(results, key, wholeZip);
      return handOutFile(results, relayKey(owner, jobId, fileId), entry.name, entry.bytes);
    },
  };
}

/** Loaded when there is a zip to look into: not all systems have their jobs send one. */
function loadZips() {
  return import('../zips/stored-zip.ts');
}

/** An entry without its bytes is too large, or damaged: it can be had with the whole zip. */
async function unpack(results: ObjectStore, key: string, size: number, fileId: string) {
  const { openStoredZip, readEntries, readEntry } = await loadZips();
  const zip = await openStoredZip(results, key, size);
  const entry = (await readEntries(zip)).findLast(({ fileName }) => nameId(fileName) === fileId);
  if (!entry) return undefined;
  const bytes = canUnpack(entry) ? await unlessUnreadable(readEntry(zip, entry)) : undefined;
  return { name: entry.fileName, bytes };
}

function canUnpack(entry: Entry): boolean {
  const largest = Math.max(entry.uncompressedSize, entry.compressedSize);
  return largest <= unpackedBytes && entry.canDecodeFileData();
}

/** Of entries with one name the last one counts, as for whoever unpacks the zip. */
function describeEntries(entries: readonly Entry[]) {
  const files = entries.map(({ fileName, uncompressedSize }) => ({
    id: nameId(fileName),
    name: fileName,
    bytes: uncompressedSize,
  }));
  return [...new Map(files.map((file) => [file.id, file])).values()];
}

/** Short, whatever the name is, and good in a path. */
function nameId(name: string): string {
  return createHash('sha256').update(name).digest('base64url').slice(0, 22);
}

async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isOurs = error instanceof StorageUnavailableError || error instanceof ObjectNotFoundError;
    if (isOurs) throw error;
    return undefined;
  }
}
