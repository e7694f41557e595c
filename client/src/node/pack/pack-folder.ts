import type { Progress } from '../../calls/put-file.ts';
import { listFolder } from './list-folder.ts';
import { type TemporaryFile, writeTemporaryFile } from './temporary-file.ts';
import { writeZipFile } from './write-zip.ts';

export interface PackOptions {
  /** Told how many bytes of how many have been packed. */
  readonly onProgress?: Progress;
  readonly signal?: AbortSignal;
}

/** A folder as a zip, in a temporary file that is there until it is removed. */
export interface PackedFolder extends TemporaryFile {
  /** How many files are in it, and how many bytes they have unpacked. */
  readonly files: number;
  readonly bytes: number;
}

/**
 * Packs a folder. Its names, its files and its empty folders are in the zip, and which files can be
 * executed; not their times. What a zip cannot hold, such as a link, is refused.
 */
export async function packFolder(
  folder: string,
  { onProgress, signal }: PackOptions = {},
): Promise<PackedFolder> {
  const entries = await listFolder(folder, signal);
  const file = await writeTemporaryFile((zip) =>
    writeZipFile(zip, entries, { onProgress, signal }),
  );
  return {
    ...file,
    files: entries.filter(({ name }) => !name.endsWith('/')).length,
    bytes: entries.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
