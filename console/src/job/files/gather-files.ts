import { type Job, type JobFile, placeOf, type Slipway } from '#client/src/index.ts';
import { type FileToPack, packFiles } from '../../zip/pack-files.ts';
import { nameFolder, nameInZip } from './name-in-zip.ts';

/** The files are more than a page can hold: the message says what to do. */
export class TooMuchToSave extends Error {
  override readonly name = 'TooMuchToSave';
}

const mostBytes = 1_000_000_000;

export interface Gathered {
  readonly zip: Blob;
  readonly name: string;
}

/** All files of these jobs in one zip, made here; nothing where they have none. */
export async function gatherFiles(
  service: Slipway,
  jobs: readonly Job[],
  onProgress: (done: number, whole: number) => void,
): Promise<Gathered | undefined> {
  const listed: { readonly job: Job; readonly file: JobFile }[] = [];
  for (const job of jobs) {
    for (const file of await service.listFiles(placeOf(job))) listed.push({ job, file });
  }
  const whole = listed.reduce((sum, { file }) => sum + file.length, 0);
  if (whole > mostBytes) {
    throw new TooMuchToSave(
      'There is more than 1 GB, which is too much for a page. Download single files, or use the command slipway download.',
    );
  }
  const files: FileToPack[] = [];
  let done = 0;
  for (const { job, file } of listed) {
    const response = await service.readFile({ ...placeOf(job), file_id: file.fileid });
    const folder = jobs.length > 1 ? `${nameFolder(job)}/` : '';
    files.push({ name: `${folder}${nameInZip(file.filename)}`, content: await response.blob() });
    done += file.length;
    onProgress(done, whole);
  }
  const [first] = jobs;
  if (!first || files.length === 0) return undefined;
  const name = jobs.length > 1 ? `slipway-${jobs.length}-jobs` : nameFolder(first);
  return { zip: await packFiles(files), name: `${name}.zip` };
}
