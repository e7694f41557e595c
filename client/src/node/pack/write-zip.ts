import { createReadStream } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflateRaw } from 'node:zlib';
import type { Progress } from '../../calls/put-file.ts';
import type { FolderEntry } from './list-folder.ts';
import { type EntryRecord, writeDirectoryLine, writeEnd, writeLocalHeader } from './zip-records.ts';

export interface WriteOptions {
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
  /** From so many bytes on a size or a place is written with eight bytes; less in tests alone. */
  readonly wideFrom?: number;
}

/** Below what four bytes hold, by as much as deflate may add to what cannot be packed. */
const usualWideFrom = 0xf000_0000;

/** Writes a zip of these entries, one after the other: never more than a piece is in memory. */
export async function writeZip(
  zip: FileHandle,
  entries: readonly FolderEntry[],
  { onProgress, signal, wideFrom = usualWideFrom }: WriteOptions,
): Promise<void> {
  const whole = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const records: EntryRecord[] = [];
  let done = 0;
  let end = 0;
  for (const entry of entries) {
    const record = { ...describe(entry, end), wide: entry.bytes >= wideFrom };
    const header = writeLocalHeader(record);
    const content = record.folder ? nothing : await writeContent(entry, end + header.length);
    const written = { ...record, ...content };
    await writeAt(writeLocalHeader(written), end);
    end += header.length + written.packed;
    records.push(written);
  }
  await writeDirectory();

  async function writeContent({ path, bytes: announced }: FolderEntry, start: number) {
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
    if (bytes !== announced) throw new Error(`${path} changed while it was packed. Try again.`);
    return { crc, bytes, packed };
  }

  async function writeDirectory(): Promise<void> {
    const lines = Buffer.concat(
      records.map((record) => writeDirectoryLine(record, record.offset >= wideFrom)),
    );
    const wide = end >= wideFrom;
    const tail = writeEnd({ entries: records.length, offset: end, bytes: lines.length, wide });
    await writeAt(Buffer.concat([lines, tail]), end);
  }

  /** A write may take less than it is given. */
  async function writeAt(bytes: Buffer, position: number): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await zip.write(bytes, from, bytes.length - from, position + from);
      from += bytesWritten;
    }
  }
}

const nothing = { crc: 0, bytes: 0, packed: 0 };

function describe({ name, executable }: FolderEntry, offset: number) {
  return { name: Buffer.from(name), executable, folder: name.endsWith('/'), offset, ...nothing };
}
