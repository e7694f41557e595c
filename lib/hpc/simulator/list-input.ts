import type { Entry } from 'yauzl';

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

/** Nothing where the bytes are no zip that can be read. */
export async function listInput(zip: Uint8Array): Promise<InputListing | undefined> {
  // Only a job that is handed over brings a zip; reading files of jobs does not need this.
  const { fromBufferPromise } = await import('yauzl');
  try {
    const archive = await fromBufferPromise(Buffer.from(zip), { lazyEntries: true });
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

function isFolder({ fileName }: Entry): boolean {
  return fileName.endsWith('/');
}
