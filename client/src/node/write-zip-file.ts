import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Progress } from '../calls/put-file.ts';
import { type Packed, writeZip } from '../zip.ts';
import type { FolderEntry } from './pack-folder.ts';

export interface WriteOptions {
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Tests write sizes with eight bytes from here on. */
  readonly wideFrom?: number;
}

/** Writes a zip of these entries to a file, and never holds more than a piece in memory. */
export async function writeZipFile(
  zip: FileHandle,
  entries: readonly FolderEntry[],
  { onProgress, signal, wideFrom }: WriteOptions,
): Promise<void> {
  const whole = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  await writeZip(entries, { pack, write: writeAt }, wideFrom);

  async function pack({ path }: FolderEntry, start: number): Promise<Packed> {
    let crc = 0;
    let bytes = 0;
    let packed = 0;
    await pipeline(
      createReadStream(path),
      async function* (source) {
        for await (const chunk of source) {
          crc = crc32(chunk, crc);
          bytes += chunk.length;
          done += chunk.length;
          yield chunk;
          onProgress?.(done, whole);
        }
      },
      createDeflateRaw(),
      async (source) => {
        for await (const chunk of source) {
          await writeAt(chunk, start + packed);
          packed += chunk.length;
        }
      },
      { ...(signal && { signal }) },
    );
    return { crc, bytes, packed };
  }

  /** Repeats the write, because one may take less than it is given. */
  async function writeAt(bytes: Uint8Array, position: number): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await zip.write(bytes, from, bytes.length - from, position + from);
      from += bytesWritten;
    }
  }
}
