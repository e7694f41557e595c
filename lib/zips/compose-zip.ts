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

/** Larger archives would need the extended format, which this writer does not know. */
export const largestZip = 0xffff_ffff - 1;

const bytesOf = { local: 30, central: 46, end: 22 };
const signatures = { local: 0x04034b50, central: 0x02014b50, end: 0x06054b50 };

/** Computes the length of a zip before it is written. */
export function measureZip(parts: readonly ZipPart[]): number {
  return parts.reduce((sum, { name, packedBytes }) => {
    const nameBytes = Buffer.byteLength(name);
    return sum + bytesOf.local + bytesOf.central + 2 * nameBytes + packedBytes;
  }, bytesOf.end);
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
  yield Buffer.concat([lines, writeEnd(parts.length, lines.length, offset)]);
}

/** The version that can unpack folders and deflated files, and the mark of UTF-8 names. */
const neededVersion = 20;
const utf8Names = 0x0800;
const madeOnUnix = 3 << 8;
/** January 1, 1980, the first day that a zip can name. Times of files are not passed on. */
const firstDay = 0x21;

/** The fields that both headers share, in the same order. */
function writeShared(part: ZipPart, name: Buffer): Buffer {
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(neededVersion, 0);
  shared.writeUInt16LE(utf8Names, 2);
  shared.writeUInt16LE(part.isDeflated ? 8 : 0, 4);
  shared.writeUInt16LE(firstDay, 8);
  shared.writeUInt32LE(part.crc32, 10);
  shared.writeUInt32LE(part.packedBytes, 14);
  shared.writeUInt32LE(part.expandedBytes, 18);
  shared.writeUInt16LE(name.length, 22);
  return shared;
}

function writeLocalHeader(part: ZipPart): Buffer {
  const name = Buffer.from(part.name);
  return Buffer.concat([writeSignature(signatures.local), writeShared(part, name), name]);
}

/** Writes the line of an entry in the directory. */
function writeLine(part: ZipPart, offset: number): Buffer {
  const name = Buffer.from(part.name);
  const madeBy = Buffer.alloc(2);
  madeBy.writeUInt16LE(madeOnUnix | neededVersion);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE((part.mode << 16) >>> 0, 6);
  rest.writeUInt32LE(offset, 10);
  const signature = writeSignature(signatures.central);
  return Buffer.concat([signature, madeBy, writeShared(part, name), rest, name]);
}

function writeEnd(count: number, directoryBytes: number, offset: number): Buffer {
  const end = Buffer.alloc(bytesOf.end);
  end.writeUInt32LE(signatures.end);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function writeSignature(signature: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature);
  return bytes;
}
