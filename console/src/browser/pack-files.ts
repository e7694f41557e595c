import { writeNumber } from '#client/src/format/numbers/write-number.ts';
import { writeZip } from '#client/src/zip.ts';
import { phrase } from './words.ts';

/** A file, and its name in the zip. */
export interface FileToPack {
  /** Relative, with `/`. */
  readonly name: string;
  readonly content: Blob;
}

/** The files cannot be packed as they are. The message says why, and what to do. */
class FilesNotPackable extends Error {
  override readonly name = 'FilesNotPackable';
}

const mostFiles = 10_000;
/** A browser keeps the zip in memory or in its temporary files, so the limit is that of plain zips. */
const mostBytes = 4_000_000_000;

/** Packs files into a zip. Reads one at a time, and lets the browser keep what is packed. */
export async function packFiles(
  files: readonly FileToPack[],
  onProgress: (done: number, whole: number) => void = () => undefined,
): Promise<Blob> {
  const whole = files.reduce((sum, { content }) => sum + content.size, 0);
  if (files.length > mostFiles) {
    const counts = { files: writeNumber(files.length), most: writeNumber(mostFiles) };
    throw new FilesNotPackable(phrase('tooManyFiles', counts));
  }
  if (whole > mostBytes) {
    throw new FilesNotPackable(phrase('tooManyBytes'));
  }
  const parts = new Map<number, Blob>();
  let done = 0;
  await writeZip(
    files.map(({ name, content }) => ({ name, content, bytes: content.size })),
    {
      async pack({ content }, position) {
        const { crc, packed } = await deflate(content, (bytes) => onProgress(done + bytes, whole));
        done += content.size;
        parts.set(position, packed);
        return { crc, bytes: content.size, packed: packed.size };
      },
      write: (bytes, position) => void parts.set(position, new Blob([bytes])),
    },
  );
  const inOrder = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
  return new Blob(inOrder, { type: 'application/zip' });
}

async function deflate(
  content: Blob,
  onProgress: (bytes: number) => void,
): Promise<{ readonly crc: number; readonly packed: Blob }> {
  let crc = 0;
  let bytes = 0;
  const watched = content.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        crc = checksum(chunk, crc);
        bytes += chunk.length;
        onProgress(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  const deflated = watched.pipeThrough(new CompressionStream('deflate-raw'));
  return { packed: await new Response(deflated).blob(), crc };
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) {
    value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  }
  return value;
});

/** Computes the CRC-32 that zips have, continuing from the bytes before. */
export function checksum(bytes: Uint8Array, before = 0): number {
  let value = before ^ 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}
