import {
  type Bytes,
  type EntryRecord,
  isFolder,
  join,
  writeDirectoryLine,
  writeEnd,
  writeLocalHeader,
} from './zip-records.ts';

export interface ZipEntry {
  /** Relative, with `/`. The name of a folder ends with it. */
  readonly name: string;
  readonly bytes: number;
  readonly executable?: boolean;
}

/** The content of an entry, once it is packed. */
export interface Packed {
  readonly crc: number;
  readonly bytes: number;
  readonly packed: number;
}

/** Where a zip is written to: a file, or the parts of a Blob. */
export interface ZipTarget<Entry extends ZipEntry> {
  /** Deflates the content of an entry, which begins at this position of the zip. */
  pack(entry: Entry, position: number): Promise<Packed>;
  write(bytes: Bytes, position: number): void | Promise<void>;
}

/**
 * Sizes and positions from here on take eight bytes. Deflate may add a little to what it cannot pack,
 * so the limit is below what four bytes hold.
 */
const usualWideFrom = 0xf000_0000;

/**
 * Writes a zip, one entry after the other. A header holds the checksum and the size of its content,
 * so it is written after the content, to the room that was left for it. Tests set a lower `wideFrom`.
 */
export async function writeZip<Entry extends ZipEntry>(
  entries: readonly Entry[],
  target: ZipTarget<Entry>,
  wideFrom = usualWideFrom,
): Promise<void> {
  const records: EntryRecord[] = [];
  let end = 0;
  for (const entry of entries) {
    const { name, executable = false } = entry;
    const empty = { name, executable, offset: end, wide: entry.bytes >= wideFrom, ...nothing };
    const room = writeLocalHeader(empty).length;
    const content = isFolder(entry) ? nothing : await target.pack(entry, end + room);
    if (content.bytes !== entry.bytes) {
      throw new Error(`${name} changed while it was packed. Try again.`);
    }
    const record = { ...empty, ...content };
    await target.write(writeLocalHeader(record), end);
    end += room + record.packed;
    records.push(record);
  }
  const lines = join(
    records.map((record) => writeDirectoryLine(record, record.offset >= wideFrom)),
  );
  const directory = { entries: records.length, offset: end, bytes: lines.length };
  await target.write(join([lines, writeEnd({ ...directory, wide: end >= wideFrom })]), end);
}

const nothing: Packed = { crc: 0, bytes: 0, packed: 0 };
