import { join } from 'node:path';
import type { Job, JobFile } from '../../generated/operations.ts';
import { placeOf } from '../../jobs/place-of.ts';
import type { Slipway } from '../../slipway.ts';
import { type SaveOptions, saveFile } from './save-file.ts';

export interface SaveFilesOptions extends SaveOptions {
  /** Which of the files; all of them where it is left out. */
  readonly only?: (file: JobFile) => boolean;
}

/** A file of a job, and where it is now. */
export interface SavedFile extends JobFile {
  readonly path: string;
}

/** Saves the files of a job below a folder, one after the other, by the names that they have. */
export async function saveFiles(
  client: Pick<Slipway, 'listFiles' | 'readFile'>,
  job: Job,
  folder: string,
  { only = () => true, onProgress, signal }: SaveFilesOptions = {},
): Promise<SavedFile[]> {
  const place = placeOf(job);
  const listed = await client.listFiles(place, { ...(signal && { signal }) });
  const files = listed.filter(only);
  const whole = files.reduce((sum, { length }) => sum + length, 0);
  const saved: SavedFile[] = [];
  let done = 0;
  for (const file of files) {
    const path = join(folder, refuseToLeave(file.filename));
    const before = done;
    done += await saveFile(client, { ...place, file_id: file.fileid }, path, {
      signal,
      onProgress: (bytes) => onProgress?.(before + bytes, Math.max(whole, before + bytes)),
    });
    saved.push({ ...file, path });
  }
  return saved;
}

/** A job chooses the names of its files, and must not choose a place beside the folder. */
function refuseToLeave(name: string): string {
  const parts = name.split(/[/\\]/);
  if (name === '' || parts.includes('..') || parts[0] === '' || /^[a-z]:/i.test(name)) {
    throw new Error(`The job has a file '${name}', whose name leads out of the folder.`);
  }
  return name;
}
