/** What is said of an entry, in the header before it and in the directory at the end. */
export interface EntryRecord {
  readonly name: Buffer;
  readonly executable: boolean;
  readonly folder: boolean;
  readonly offset: number;
  readonly crc: number;
  readonly packed: number;
  readonly bytes: number;
  /** Whether its sizes take eight bytes each. */
  readonly wide: boolean;
}

const signatures = {
  local: 0x04034b50,
  directory: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
};
/** Deflate; and zip64, which is only asked for where it is needed. */
const versions = { plain: 20, wide: 45 };
const utf8 = 0x0800;
const deflated = 8;
/** The first day that a zip can name: the same folder is the same zip whenever it is packed. */
const firstDay = 0x0021;
const wideField = 0x0001;
const wide32 = 0xffffffff;
const wide16 = 0xffff;
/** Made on Unix, whose modes are in the upper half of the attributes. */
const madeOnUnix = 3 << 8;
const modes = { folder: 0o040755, executable: 0o100755, file: 0o100644 };

export function writeLocalHeader(entry: EntryRecord): Buffer {
  const extra = entry.wide ? writeWide([entry.bytes, entry.packed]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(signatures.local, 0);
  writeShared(header, 4, entry, extra);
  return Buffer.concat([header, entry.name, extra]);
}

/** `wideOffset` is whether its place needs eight bytes as well. */
export function writeDirectoryLine(entry: EntryRecord, wideOffset: boolean): Buffer {
  const wide = [
    ...(entry.wide ? [entry.bytes, entry.packed] : []),
    ...(wideOffset ? [entry.offset] : []),
  ];
  const extra = wide.length > 0 ? writeWide(wide) : Buffer.alloc(0);
  const line = Buffer.alloc(46);
  line.writeUInt32LE(signatures.directory, 0);
  line.writeUInt16LE(madeOnUnix | versions.wide, 4);
  writeShared(line, 6, entry, extra);
  line.writeUInt32LE(modeOf(entry) * 0x10000, 38);
  line.writeUInt32LE(wideOffset ? wide32 : entry.offset, 42);
  return Buffer.concat([line, entry.name, extra]);
}

/** From the version that reads it to the length of its extra field, both records are alike. */
function writeShared(record: Buffer, at: number, entry: EntryRecord, extra: Buffer): void {
  record.writeUInt16LE(extra.length > 0 ? versions.wide : versions.plain, at);
  record.writeUInt16LE(utf8, at + 2);
  record.writeUInt16LE(entry.folder ? 0 : deflated, at + 4);
  record.writeUInt16LE(firstDay, at + 8);
  record.writeUInt32LE(entry.crc, at + 10);
  record.writeUInt32LE(entry.wide ? wide32 : entry.packed, at + 14);
  record.writeUInt32LE(entry.wide ? wide32 : entry.bytes, at + 18);
  record.writeUInt16LE(entry.name.length, at + 22);
  record.writeUInt16LE(extra.length, at + 24);
}

function modeOf({ folder, executable }: EntryRecord): number {
  if (folder) return modes.folder;
  return executable ? modes.executable : modes.file;
}

function writeWide(numbers: readonly number[]): Buffer {
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(wideField, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) {
    field.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  }
  return field;
}

/** The directory of a zip: where it is, how long it is, and of how many entries. */
export interface Directory {
  readonly entries: number;
  readonly offset: number;
  readonly bytes: number;
  readonly wide: boolean;
}

export function writeEnd(directory: Directory): Buffer {
  const { entries, offset, bytes, wide } = directory;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(signatures.end, 0);
  end.writeUInt16LE(wide ? wide16 : entries, 8);
  end.writeUInt16LE(wide ? wide16 : entries, 10);
  end.writeUInt32LE(wide ? wide32 : bytes, 12);
  end.writeUInt32LE(wide ? wide32 : offset, 16);
  return wide ? Buffer.concat([writeEnd64(directory), end]) : end;
}

function writeEnd64({ entries, offset, bytes }: Directory): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(signatures.end64, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(madeOnUnix | versions.wide, 12);
  record.writeUInt16LE(versions.wide, 14);
  record.writeBigUInt64LE(BigInt(entries), 24);
  record.writeBigUInt64LE(BigInt(entries), 32);
  record.writeBigUInt64LE(BigInt(bytes), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(signatures.locator, 56);
  record.writeBigUInt64LE(BigInt(offset + bytes), 64);
  record.writeUInt32LE(1, 72);
  return record;
}
