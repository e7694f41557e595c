import { type Entry, fromBufferPromise, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { UnsafeZipError } from './errors.ts';
import { judgeContents } from './judge-contents.ts';
import { listEntries } from './list-entries.ts';
import { RangeReader, type RangeStore } from './range-reader.ts';
import {
  type DirectoryPlace,
  describeEntry,
  isPlainDirectory,
  judgeDirectory,
  placeOfEndRecord,
  zipLimits,
} from './zip-directory.ts';

/** Local file header, empty archive, spanned archive. */
const signatures = ['504b0304', '504b0506', '504b0708'];

/** Names are checked here as bytes, because the library would stop at the first bad one. */
const options = { decodeStrings: false, autoClose: false } as const;

export function beginsAsZip(content: Uint8Array): boolean {
  return signatures.includes(Buffer.from(content.subarray(0, 4)).toString('hex'));
}

/** Refuses content that is not a safe zip, by its directory and by what its entries really hold. */
export async function inspectZip(content: Uint8Array): Promise<void> {
  const buffer = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!beginsAsZip(buffer)) throw new UnsafeZipError(['It is not a zip file.']);
  const zip = await fromBufferPromise(buffer, options).catch(refuseDamaged);
  const read = async (position: number, length: number) =>
    buffer.subarray(position, position + length);
  const entries = await inspectDirectory(zip, read);
  refuse(await judgeContents(zip, entries, buffer));
}

/**
 * Refuses a stored object that is not a safe zip, by its directory alone. The entries themselves
 * are not read, so the program that unpacks them must enforce the announced sizes.
 */
export async function inspectStoredZip(
  store: RangeStore,
  key: string,
  bytes: number,
): Promise<void> {
  if (!beginsAsZip(await store.read(key, { first: 0, last: 3 }))) {
    throw new UnsafeZipError(['It is not a zip file.']);
  }
  const reader = new RangeReader(store, key, bytes);
  try {
    const zip = await fromRandomAccessReaderPromise(reader, bytes, options);
    await inspectDirectory(zip, (position, length) => reader.find(position, length));
  } catch (error) {
    if (reader.failure !== undefined) throw reader.failure;
    throw error instanceof UnsafeZipError ? error : refuseDamaged(error);
  }
}

async function inspectDirectory(zip: ZipFile, read: DirectoryPlace['read']): Promise<Entry[]> {
  const first = cursorOf(zip);
  let entries: Entry[];
  try {
    entries = await listEntries(zip);
    const endRecord = placeOfEndRecord(zip.fileSize, zip.comment.length);
    const place = { first, end: cursorOf(zip), endRecord, read };
    if (!(await isPlainDirectory(place))) refuseDamaged();
  } catch (error) {
    throw error instanceof UnsafeZipError ? error : refuseDamaged(error);
  }
  const archive = { bytes: zip.fileSize, directoryOffset: first };
  refuse(judgeDirectory(entries.map(describeEntry), archive));
  return entries;
}

/** Returns where the library reads next. Its types wrongly call this number a boolean. */
function cursorOf({ readEntryCursor }: ZipFile): number {
  return Number(readEntryCursor);
}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new UnsafeZipError(problems.slice(0, zipLimits.reportedProblems));
}

function refuseDamaged(error?: unknown): never {
  const encrypted = error instanceof Error && error.message.includes('encryption');
  throw new UnsafeZipError([
    encrypted ? 'Some of its entries are encrypted.' : 'It is damaged or cut off.',
  ]);
}
