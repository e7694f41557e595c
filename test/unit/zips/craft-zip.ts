import { crc32, deflateRawSync } from 'node:zlib';

/** An entry, and the parts of its description that are false. */
export interface CraftedEntry {
  readonly name: string | Buffer;
  readonly content?: string | Buffer;
  /** The name in the local header, if it differs from the directory. */
  readonly localName?: string;
  readonly localMethod?: number;
  readonly localFlags?: number;
  readonly flags?: number;
  readonly method?: number;
  /** Where the entry was made: 3 is Unix, 0 is DOS. */
  readonly madeOn?: number;
  /** The mode of a Unix file. */
  readonly mode?: number;
  readonly extra?: Buffer;
  readonly announcedBytes?: number;
  readonly checksum?: number;
  /** The offset in the directory. */
  readonly offset?: number;
  /** Bytes of another entry instead of its own. */
  readonly packed?: Buffer;
}

export interface CraftedArchive {
  /** The number of entries that the archive claims. */
  readonly count?: number;
  readonly directoryBytes?: number;
  readonly directoryOffset?: number;
  readonly comment?: string;
  readonly zip64?: boolean;
  /** Bytes between the directory and the end. */
  readonly gap?: Buffer;
  /** Bytes between the two records of the long form. */
  readonly gap64?: Buffer;
}

/** Builds a zip byte by byte, correct except for what is given. */
export function craftZip(entries: readonly CraftedEntry[], archive: CraftedArchive = {}): Buffer {
  const parts: Buffer[] = [];
  const lines: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { local, line } = craftEntry(entry, offset);
    parts.push(local);
    lines.push(line);
    offset += local.length;
  }
  const directory = Buffer.concat(lines);
  const { gap = Buffer.alloc(0), gap64 = Buffer.alloc(0), comment = '' } = archive;
  const size = archive.directoryBytes ?? directory.length;
  const start = archive.directoryOffset ?? offset;
  const count = archive.count ?? entries.length;
  const [record, locator] = craftEnd64(offset + directory.length, count, size, start);
  const end64 = archive.zip64 ? [record, gap64, locator] : [];
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(archive.zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(archive.zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(archive.zip64 ? 0xffffffff : size, 12);
  end.writeUInt32LE(archive.zip64 ? 0xffffffff : start, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([...parts, directory, gap, ...end64, end, Buffer.from(comment)]);
}

function craftEntry(entry: CraftedEntry, offset: number): { local: Buffer; line: Buffer } {
  const content = Buffer.from(entry.content ?? 'content');
  const method = entry.method ?? 8;
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(content) : content);
  const name = Buffer.from(entry.name);
  const extra = entry.extra ?? Buffer.alloc(0);
  const localName = Buffer.from(entry.localName ?? name);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(entry.flags ?? 0x800, 2);
  fields.writeUInt16LE(method, 4);
  fields.writeUInt16LE(0x21, 8);
  fields.writeUInt32LE(entry.checksum ?? crc32(content), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(entry.announcedBytes ?? content.length, 18);
  fields.writeUInt16LE(localName.length, 22);
  const localFields = Buffer.from(fields);
  localFields.writeUInt16LE(entry.localFlags ?? fields.readUInt16LE(2), 2);
  localFields.writeUInt16LE(entry.localMethod ?? method, 4);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), localFields, localName, packed]);
  const line = Buffer.alloc(46);
  line.write('504b010214', 'hex');
  line.writeUInt8(entry.madeOn ?? 3, 5);
  fields.copy(line, 6);
  line.writeUInt16LE(name.length, 28);
  line.writeUInt16LE(extra.length, 30);
  line.writeUInt32LE(((entry.mode ?? 0o100644) << 16) >>> 0, 38);
  line.writeUInt32LE(entry.offset ?? offset, 42);
  return { local, line: Buffer.concat([line, name, extra]) };
}

function craftEnd64(at: number, count: number, size: number, start: number): [Buffer, Buffer] {
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(start), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

/** Builds Info-ZIP's extra field with a second name in UTF-8. */
export function unicodePath(name: string, second: string | Buffer): Buffer {
  const version = Buffer.alloc(5);
  version.writeUInt8(1, 0);
  version.writeUInt32LE(crc32(name), 1);
  return extraField(0x7075, Buffer.concat([version, Buffer.from(second)]));
}

export function extraField(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
}
