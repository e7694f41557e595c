import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { Entry, LocalFileHeader, ZipFile } from 'yauzl';
import { isMistake } from '#lib/errors/domain-error.ts';
import { describeEntry } from './zip-directory.ts';

/** The fields of an entry needed to expand it. */
type Described = Pick<Entry, 'compressionMethod' | 'uncompressedSize'>;

/** Entries up to this size are expanded in one piece, which is many times faster. */
const onePieceBytes = 1_000_000;

/**
 * Compares the entries of a zip with its directory. Some programs unpack by the directory and
 * others by the header before each entry, so both must agree. Announced sizes may be false, too.
 */
export async function judgeContents(
  zip: ZipFile,
  entries: readonly Entry[],
  archive: Buffer,
): Promise<string[]> {
  const problems: string[] = [];
  for (const entry of entries) {
    const problem = await judgeContent(zip, entry, archive);
    if (problem !== undefined) problems.push(`'${describeEntry(entry).name}': ${problem}.`);
  }
  return problems;
}

async function judgeContent(
  zip: ZipFile,
  entry: Entry,
  archive: Buffer,
): Promise<string | undefined> {
  try {
    const header = await zip.readLocalFileHeaderPromise(entry);
    if (!agrees(header, entry)) return 'the archive describes it in two different ways';
    const { fileDataStart: start } = header;
    const packed = archive.subarray(start, start + entry.compressedSize);
    const { bytes, checksum } = await expand(packed, entry);
    if (bytes > entry.uncompressedSize) return 'it expands to more than the archive says';
    const whole = bytes === entry.uncompressedSize && checksum === entry.crc32;
    return whole ? undefined : 'its content is damaged';
  } catch (error) {
    if (isMistake(error)) throw error;
    return 'its content is damaged';
  }
}

function agrees(header: LocalFileHeader, entry: Entry): boolean {
  return (
    header.fileName.equals(entry.fileNameRaw) &&
    header.compressionMethod === entry.compressionMethod &&
    (header.generalPurposeBitFlag & 1) === 0
  );
}

/** Stops within one chunk after the announced size. */
export async function expand(
  packed: Buffer,
  { compressionMethod, uncompressedSize: announced }: Described,
): Promise<{ bytes: number; checksum: number }> {
  if (compressionMethod === 0) return { bytes: packed.length, checksum: crc32(packed) };
  if (announced <= onePieceBytes) {
    const content = inflateAtMost(packed, announced + 1);
    return { bytes: content?.length ?? announced + 1, checksum: content ? crc32(content) : 0 };
  }
  let bytes = 0;
  let checksum = 0;
  const inflate = createInflateRaw({ chunkSize: 65_536 });
  inflate.end(packed);
  for await (const chunk of inflate) {
    bytes += chunk.length;
    checksum = crc32(chunk, checksum);
    if (bytes > announced) break;
  }
  return { bytes, checksum };
}

/** Returns undefined if there is more. */
function inflateAtMost(packed: Buffer, bytes: number): Buffer | undefined {
  try {
    return inflateRawSync(packed, { maxOutputLength: bytes, chunkSize: Math.max(64, bytes) });
  } catch (error) {
    const more = error instanceof Error && 'code' in error;
    if (more && error.code === 'ERR_BUFFER_TOO_LARGE') return undefined;
    throw error;
  }
}
