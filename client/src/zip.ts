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
  const wide = end >= wideFrom || records.length >= wide16;
  await target.write(join([lines, writeEnd({ ...directory, wide })]), end);
}

const nothing: Packed = { crc: 0, bytes: 0, packed: 0 };

/** Describes an entry in the header before it and in the directory at the end of the zip. */
interface EntryRecord extends Required<ZipEntry>, Packed {
  /** Where its header begins. */
  readonly offset: number;
  /** Whether its sizes take eight bytes each. */
  readonly wide: boolean;
}

type Bytes = Uint8Array<ArrayBuffer>;

const signatures = {
  local: 0x04034b50,
  directory: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
};
/** The versions that readers need: for deflate, and for zip64. */
const versions = { plain: 20, wide: 45 };
const utf8 = 0x0800;
const deflated = 8;
/** The first day that a zip can name, so that packing the same files again gives the same zip. */
const firstDay = 0x0021;
const wideField = 0x0001;
const wide32 = 0xffffffff;
const wide16 = 0xffff;
/** Marks the upper half of the attributes as a Unix mode. */
const madeOnUnix = 3 << 8;
const modes = { folder: 0o040755, executable: 0o100755, file: 0o100644 };

function isFolder({ name }: Pick<EntryRecord, 'name'>): boolean {
  return name.endsWith('/');
}

function writeLocalHeader(entry: EntryRecord): Bytes {
  const name = new TextEncoder().encode(entry.name);
  const extra = writeWide(entry.wide ? [entry.bytes, entry.packed] : []);
  const header = write(30, (view) => {
    view.setUint32(0, signatures.local, true);
    writeShared(view, 4, entry, { name, extra });
  });
  return join([header, name, extra]);
}

/** `wideOffset` says whether the place of the entry needs eight bytes as well. */
function writeDirectoryLine(entry: EntryRecord, wideOffset: boolean): Bytes {
  const name = new TextEncoder().encode(entry.name);
  const extra = writeWide([
    ...(entry.wide ? [entry.bytes, entry.packed] : []),
    ...(wideOffset ? [entry.offset] : []),
  ]);
  const line = write(46, (view) => {
    view.setUint32(0, signatures.directory, true);
    view.setUint16(4, madeOnUnix | versions.wide, true);
    writeShared(view, 6, entry, { name, extra });
    view.setUint32(38, modeOf(entry) * 0x10000, true);
    view.setUint32(42, wideOffset ? wide32 : entry.offset, true);
  });
  return join([line, name, extra]);
}

/** Writes the fields that both records share, from the version to the length of the extra field. */
function writeShared(
  view: DataView,
  at: number,
  entry: EntryRecord,
  { name, extra }: { readonly name: Bytes; readonly extra: Bytes },
): void {
  view.setUint16(at, extra.length > 0 ? versions.wide : versions.plain, true);
  view.setUint16(at + 2, utf8, true);
  view.setUint16(at + 4, isFolder(entry) ? 0 : deflated, true);
  view.setUint16(at + 8, firstDay, true);
  view.setUint32(at + 10, entry.crc, true);
  view.setUint32(at + 14, entry.wide ? wide32 : entry.packed, true);
  view.setUint32(at + 18, entry.wide ? wide32 : entry.bytes, true);
  view.setUint16(at + 22, name.length, true);
  view.setUint16(at + 24, extra.length, true);
}

function modeOf(entry: EntryRecord): number {
  if (isFolder(entry)) return modes.folder;
  return entry.executable ? modes.executable : modes.file;
}

function writeWide(numbers: readonly number[]): Bytes {
  if (numbers.length === 0) return new Uint8Array();
  return write(4 + 8 * numbers.length, (view) => {
    view.setUint16(0, wideField, true);
    view.setUint16(2, 8 * numbers.length, true);
    for (const [index, number] of numbers.entries()) {
      view.setBigUint64(4 + 8 * index, BigInt(number), true);
    }
  });
}

interface Directory {
  readonly entries: number;
  readonly offset: number;
  readonly bytes: number;
  readonly wide: boolean;
}

function writeEnd(directory: Directory): Bytes {
  const { entries, offset, bytes, wide } = directory;
  const end = write(22, (view) => {
    view.setUint32(0, signatures.end, true);
    view.setUint16(8, wide ? wide16 : entries, true);
    view.setUint16(10, wide ? wide16 : entries, true);
    view.setUint32(12, wide ? wide32 : bytes, true);
    view.setUint32(16, wide ? wide32 : offset, true);
  });
  return wide ? join([writeEnd64(directory), end]) : end;
}

function writeEnd64({ entries, offset, bytes }: Directory): Bytes {
  return write(56 + 20, (view) => {
    view.setUint32(0, signatures.end64, true);
    view.setBigUint64(4, 44n, true);
    view.setUint16(12, madeOnUnix | versions.wide, true);
    view.setUint16(14, versions.wide, true);
    view.setBigUint64(24, BigInt(entries), true);
    view.setBigUint64(32, BigInt(entries), true);
    view.setBigUint64(40, BigInt(bytes), true);
    view.setBigUint64(48, BigInt(offset), true);
    view.setUint32(56, signatures.locator, true);
    view.setBigUint64(64, BigInt(offset + bytes), true);
    view.setUint32(72, 1, true);
  });
}

function write(length: number, fill: (view: DataView) => void): Bytes {
  const bytes = new Uint8Array(length);
  fill(new DataView(bytes.buffer));
  return bytes;
}

function join(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
