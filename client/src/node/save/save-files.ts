import { join } from 'node:path';
import type { Job, JobFile } from '../../generated/operations.ts';
import { placeOf } from '../../jobs/place-of.ts';
import type { Slipway } from '../../slipway.ts';
import { cleanPath } from './clean-path.ts';
import { type SaveOptions, saveFile } from './save-file.ts';

export interface SaveFilesOptions extends SaveOptions {
  /** Which of the files; all of them where it is left out. */
  readonly only?: (file: JobFile) => boolean;
  /**
   * Told of each file that cannot be saved under its name. Without it, `saveFiles` throws
   * `FilesSkipped` when all others are saved.
   */
  readonly onSkip?: (file: SkippedFile) => void;
}

/** A file of a job, and where it is now: not always under its own name, which may be unfit. */
export interface SavedFile extends JobFile {
  readonly path: string;
}

/** A file of a job that was not saved, and why. */
export interface SkippedFile extends JobFile {
  readonly reason: string;
}

/** All other files of the job were saved. */
export class FilesSkipped extends Error {
  override readonly name = 'FilesSkipped';
  readonly saved: readonly SavedFile[];
  readonly skipped: readonly SkippedFile[];

  constructor(saved: readonly SavedFile[], skipped: readonly SkippedFile[]) {
    const names = skipped.map(({ filename, reason }) => `${JSON.stringify(filename)}: ${reason}`);
    super(`Some files could not be saved under their names. ${names.join(' ')}`);
    this.saved = saved;
    this.skipped = skipped;
  }
}

/** Whether a name in capital letters is the same to most disks here. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Saves the files of a job below a folder, one after the other, by the names that they have. A job
 * chooses these names, and may choose any: what a disk cannot hold under its name is cleaned or
 * skipped, and keeps no other file from being saved.
 */
export async function saveFiles(
  client: Pick<Slipway, 'listFiles' | 'readFile'>,
  job: Job,
  folder: string,
  { only = () => true, onProgress, onSkip, signal }: SaveFilesOptions = {},
): Promise<SavedFile[]> {
  const place = placeOf(job);
  const listed = await client.listFiles(place, { ...(signal && { signal }) });
  const files = listed.filter(only);
  const whole = files.reduce((sum, { length }) => sum + length, 0);
  const saved: SavedFile[] = [];
  const skipped: SkippedFile[] = [];
  const skip = (file: JobFile, reason: string) => {
    skipped.push({ ...file, reason });
    onSkip?.({ ...file, reason });
  };
  const taken = new Set<string>();
  let done = 0;
  for (const file of files) {
    const cleaned = cleanPath(file.filename);
    if ('reason' in cleaned) {
      skip(file, cleaned.reason);
      continue;
    }
    const key = ignoresCase ? cleaned.path.toLowerCase() : cleaned.path;
    if (taken.has(key)) {
      skip(file, 'Another file of the job is saved under this name.');
      continue;
    }
    const path = join(folder, cleaned.path);
    const before = done;
    try {
      done += await saveFile(client, { ...place, file_id: file.fileid }, path, {
        signal,
        onProgress: (bytes) => onProgress?.(before + bytes, Math.max(whole, before + bytes)),
      });
    } catch (error) {
      const reason = explainName(error);
      if (reason === undefined) throw error;
      skip(file, reason);
      continue;
    }
    taken.add(key);
    saved.push({ ...file, path });
  }
  if (skipped.length > 0 && !onSkip) throw new FilesSkipped(saved, skipped);
  return saved;
}

/** What a disk says of a name; whatever else it says is not about this file alone. */
const nameProblems = new Map([
  ['ENOTDIR', 'A folder in its name is a file already.'],
  ['EEXIST', 'A folder in its name is a file already.'],
  ['EISDIR', 'There is a folder with its name.'],
  ['ENOTEMPTY', 'There is a folder with its name.'],
  ['ENAMETOOLONG', 'Its name is too long.'],
  ['EINVAL', 'The disk does not take its name.'],
  ['EILSEQ', 'The disk does not take its name.'],
]);

function explainName(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? nameProblems.get(code) : undefined;
}
