import type { ByteStream } from '#lib/byte-streams/byte-stream.ts';

export interface InputListing {
  readonly files: readonly InputFile[];
  /** The number of entries that are not listed. */
  readonly more: number;
}

interface InputFile {
  readonly name: string;
  readonly bytes: number;
}

/** Limits for the table, because a zip may hold a million names. */
const maxFiles = 1000;
const maxNameBytes = 100_000;

/** The directory of a zip is at its end. No accepted zip has a larger one. */
const keptBytes = 10_000_000;

/** Reads the whole input, as a system would. Returns undefined if it is not a readable zip. */
export async function listInput(input: ByteStream): Promise<InputListing | undefined> {
  const end = await keepEnd(input.stream);
  // Loaded on demand, because only a hand-over needs it.
  const { openZipEnd } = await import('./zip-end.ts');
  try {
    const archive = await openZipEnd(end, input.bytes);
    const files: InputFile[] = [];
    let seen = 0;
    let nameBytes = 0;
    for await (const entry of archive.eachEntry()) {
      nameBytes += Buffer.byteLength(entry.fileName);
      if (files.length === maxFiles || nameBytes > maxNameBytes) break;
      seen += 1;
      const { fileName: name, uncompressedSize: bytes } = entry;
      if (!name.endsWith('/')) files.push({ name, bytes });
    }
    return { files, more: archive.entryCount - seen };
  } catch {
    return undefined;
  }
}

async function keepEnd(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let size = 0;
  for await (const piece of pieces) {
    kept.push(piece);
    size += piece.byteLength;
    while (size - (kept[0]?.byteLength ?? 0) >= keptBytes) size -= kept.shift()?.byteLength ?? 0;
  }
  return Buffer.concat(kept, size);
}
