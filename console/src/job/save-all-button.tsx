import { useState } from 'preact/hooks';
import { writeShortId } from '#client/src/format/jobs/write-short-id.ts';
import { type Job, type JobFile, placeOf, type Slipway } from '#client/src/index.ts';
import { type FileToPack, packFiles } from '../browser/pack-files.ts';
import { saveBlob } from '../browser/save.ts';
import { useService } from '../connection/session.ts';
import { announce } from '../live/announce.ts';
import { Button } from '../parts/form.tsx';
import { ProblemNote } from '../parts/loading.tsx';
import { phrase } from './words.ts';

interface SaveAllButtonProps {
  readonly jobs: readonly Job[];
  readonly label: string;
}

/** Downloads all files of the jobs as one zip. */
export function SaveAllButton({ jobs, label }: SaveAllButtonProps) {
  const service = useService();
  const [done, setDone] = useState<number>();
  const [error, setError] = useState<unknown>();
  const save = async () => {
    setError(undefined);
    setDone(0);
    try {
      const gathered = await gatherFiles(service, jobs, (bytes, whole) =>
        setDone(bytes / Math.max(1, whole)),
      );
      if (gathered) saveBlob(gathered.zip, gathered.name);
      else
        announce(
          jobs.some((job) => !job.terminal_stage) ? phrase('noFilesYet') : phrase('noFiles'),
        );
    } catch (reason) {
      setError(reason);
    }
    setDone(undefined);
  };
  return (
    <>
      <Button disabled={done !== undefined} onClick={() => void save()}>
        {label}
      </Button>
      {done !== undefined && <progress value={done} aria-label={phrase('collecting')} />}
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}

/** Thrown if the files are too large for a page. The message says what to do. */
class TooMuchToSave extends Error {
  override readonly name = 'TooMuchToSave';
}

const mostBytes = 1_000_000_000;

/** Packs all files of the jobs in the browser. Returns undefined if there are none. */
export async function gatherFiles(
  service: Slipway,
  jobs: readonly Job[],
  onProgress: (done: number, whole: number) => void,
): Promise<{ readonly zip: Blob; readonly name: string } | undefined> {
  const listed: { readonly job: Job; readonly file: JobFile }[] = [];
  for (const job of jobs) {
    for (const file of await service.listFiles(placeOf(job))) listed.push({ job, file });
  }
  const whole = listed.reduce((sum, { file }) => sum + file.length, 0);
  if (whole > mostBytes) {
    throw new TooMuchToSave(phrase('tooMuch'));
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

/** Keeps a file below the folder where the zip is unpacked, whatever name the job gave it. */
export function nameInZip(filename: string): string {
  const parts = filename.split(/[/\\]/).filter((part) => !/^\.{0,2}$/.test(part));
  return parts.length === 0 ? 'file' : parts.join('/');
}

/** Names a job's folder by its title and short id. */
export function nameFolder({ title, job_id: id }: Pick<Job, 'title' | 'job_id'>): string {
  const said = title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  return [said, writeShortId(id)].filter((part) => part !== '').join('-');
}
