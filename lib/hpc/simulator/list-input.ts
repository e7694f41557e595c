import type { Entry } from 'yauzl';
import type { ByteStream } from '#lib/byte-streams/byte-stream.ts';

/** What is remembered of the zip that a job came with. */
export interface InputListing {
  readonly files: readonly InputFile[];
  /** How many entries it has beyond those that are listed. */
  readonly more: number;
}

export interface InputFile {
  readonly name: string;
  readonly bytes: number;
}

/** Bounds of what is kept in the table: a zip may hold a million names. */
const maxFiles = 1000;
const maxNameBytes = 100_000;

/** A zip says at its end what it holds: more than any directory that is taken has. */
const keptBytes = 10_000_000;

/** Takes all of it, as a system would. Nothing where it is no zip that can be read. */
export async function listInput(input: ByteStream): Promise<InputListing | undefined> {
  const end = await keepEnd(input.stream);
  // Only a job that is handed over brings a zip; reading files of jobs does not need this.
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
      if (!isFolder(entry)) files.push({ name: entry.fileName, bytes: entry.uncompressedSize });
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

function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}
