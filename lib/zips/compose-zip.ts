import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import { streamPieces } from '#lib/byte-streams/byte-stream.ts';

/** One entry of a zip that is written. Its sizes and checksum are known before its first byte. */
export interface ZipPart {
  /** The path in the zip. That of a folder ends with a slash. */
  readonly name: string;
  readonly isDeflated: boolean;
  readonly crc32: number;
  readonly packedBytes: number;
  readonly expandedBytes: number;
  /** The mode on Unix, with the file type; 0 if nobody knows it. */
  readonly mode: number;
  /** The packed bytes, read again from the start with each call. */
  open(): AsyncIterable<Uint8Array>;
}

/** Numbers from here on take eight bytes, in a field of their own (zip64). */
const wide32 = 0xffff_ffff;
const wide16 = 0xffff;

const bytesOf = { local: 30, central: 46, end: 22, end64: 56, locator: 20 };
const signatures = {
  local: 0x04034b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
};

/** Computes the length of a zip before it is written. */
export function measureZip(parts: readonly ZipPart[]): number {
  let offset = 0;
  let directoryBytes = 0;
  for (const part of parts) {
    const nameBytes = Buffer.byteLength(part.name);
    directoryBytes += bytesOf.central + nameBytes + writeWide(wideNumbers(part, offset)).length;
    offset += bytesOf.local + nameBytes + writeWide(wideSizes(part)).length + part.packedBytes;
  }
  const end = { count: parts.length, directoryBytes, offset };
  return offset + directoryBytes + writeEnd(end).length;
}

/**
 * Writes a zip piece by piece. Nothing is compressed, because packed bytes are passed on as they
 * are. The headers are complete, so that every program can read the zip as a stream.
 */
export function composeZip(parts: readonly ZipPart[]): ByteSource {
  return {
    open: async () => ({
      bytes: measureZip(parts),
      stream: streamPieces(writeZip(parts), () => undefined),
    }),
  };
}

async function* writeZip(parts: readonly ZipPart[]): AsyncGenerator<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const header = writeLocalHeader(part);
    directory.push(writeLine(part, offset));
    offset += header.length + part.packedBytes;
    yield header;
    yield* part.open();
  }
  const lines = Buffer.concat(directory);
  const end = { count: parts.length, directoryBytes: lines.length, offset };
  yield Buffer.concat([lines, writeEnd(end)]);
}

/** The versions that can unpack folders and deflated files, and zip64; and the mark of UTF-8 names. */
const versions = { plain: 20, wide: 45 };
const utf8Names = 0x0800;
const madeOnUnix = 3 << 8;
/** January 1, 1980, the first day that a zip can name. Times of files are not passed on. */
const firstDay = 0x21;

/** The fields that both headers share, in the same order, up to the length of the wide numbers. */
function writeShared(part: ZipPart, name: Buffer, wide: Buffer): Buffer {
  const isWide = wideSizes(part).length > 0;
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(wide.length > 0 ? versions.wide : versions.plain, 0);
  shared.writeUInt16LE(utf8Names, 2);
  shared.writeUInt16LE(part.isDeflated ? 8 : 0, 4);
  shared.writeUInt16LE(firstDay, 8);
  shared.writeUInt32LE(part.crc32, 10);
  shared.writeUInt32LE(isWide ? wide32 : part.packedBytes, 14);
  shared.writeUInt32LE(isWide ? wide32 : part.expandedBytes, 18);
  shared.writeUInt16LE(name.length, 22);
  shared.writeUInt16LE(wide.length, 24);
  return shared;
}

/** Both sizes are wide or neither, because readers expect both in a header. */
function wideSizes({ packedBytes, expandedBytes }: ZipPart): number[] {
  return Math.max(packedBytes, expandedBytes) < wide32 ? [] : [expandedBytes, packedBytes];
}

function wideNumbers(part: ZipPart, offset: number): number[] {
  return [...wideSizes(part), ...(offset < wide32 ? [] : [offset])];
}

function writeWide(numbers: readonly number[]): Buffer {
  if (numbers.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + 8 * numbers.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * numbers.length, 2);
  for (const [index, number] of numbers.entries()) {
    field.writeBigUInt64LE(BigInt(number), 4 + 8 * index);
  }
  return field;
}

function writeLocalHeader(part: ZipPart): Buffer {
  const name = Buffer.from(part.name);
  const wide = writeWide(wideSizes(part));
  const shared = writeShared(part, name, wide);
  return Buffer.concat([writeSignature(signatures.local), shared, name, wide]);
}

/** Writes the line of an entry in the directory. */
function writeLine(part: ZipPart, offset: number): Buffer {
  const name = Buffer.from(part.name);
  const wide = writeWide(wideNumbers(part, offset));
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(madeOnUnix | versions.wide);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE((part.mode << 16) >>> 0, 6);
  rest.writeUInt32LE(Math.min(offset, wide32), 10);
  const signature = writeSignature(signatures.central);
  const shared = writeShared(part, name, wide);
  return Buffer.concat([signature, madeBy, shared, rest, name, wide]);
}

interface DirectoryEnd {
  readonly count: number;
  readonly directoryBytes: number;
  readonly offset: number;
}

function writeEnd({ count, directoryBytes, offset }: DirectoryEnd): Buffer {
  const end = Buffer.alloc(bytesOf.end);
  end.writeUInt32LE(signatures.end);
  end.writeUInt16LE(Math.min(count, wide16), 8);
  end.writeUInt16LE(Math.min(count, wide16), 10);
  end.writeUInt32LE(Math.min(directoryBytes, wide32), 12);
  end.writeUInt32LE(Math.min(offset, wide32), 16);
  const isWide = count >= wide16 || Math.max(directoryBytes, offset) >= wide32;
  return isWide ? Buffer.concat([writeEnd64({ count, directoryBytes, offset }), end]) : end;
}

/** Writes the wide end, and the record that tells where it is. */
function writeEnd64({ count, directoryBytes, offset }: DirectoryEnd): Buffer {
  const end = Buffer.alloc(bytesOf.end64 + bytesOf.locator);
  end.writeUInt32LE(signatures.end64);
  end.writeBigUInt64LE(BigInt(bytesOf.end64 - 12), 4);
  end.writeUInt16LE(madeOnUnix | versions.wide, 12);
  end.writeUInt16LE(versions.wide, 14);
  end.writeBigUInt64LE(BigInt(count), 24);
  end.writeBigUInt64LE(BigInt(count), 32);
  end.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  end.writeUInt32LE(signatures.locator, bytesOf.end64);
  end.writeBigUInt64LE(BigInt(offset + directoryBytes), bytesOf.end64 + 8);
  end.writeUInt32LE(1, bytesOf.end64 + 16);
  return end;
}

function writeSignature(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}
