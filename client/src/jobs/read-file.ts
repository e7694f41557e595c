import { writePath } from '../calls/call.ts';
import { sendAndStream } from '../calls/send.ts';
import type { CallOptions, Settings } from '../calls/settings.ts';
import type { Job } from '../generated/operations.ts';
import type { ProjectPlace } from '../rows/match-projects.ts';
import { phrase } from '../words/formats.ts';

/** A file of a job: its list has the identifiers. */
export interface FileOfJob extends ProjectPlace {
  readonly job_id: string;
  readonly file_id: string;
}

/** A file of the folder of a project. */
export type FileOfProject = Omit<FileOfJob, 'job_id'>;

/** Explains why a job has no files. Only an active job may still get some. */
export function describeNoFiles({ terminal_stage, stage }: Pick<Job, 'terminal_stage' | 'stage'>) {
  if (!terminal_stage) return phrase('files.notYet');
  return phrase(stage === 'DELETED' ? 'files.deleted' : 'files.none');
}

/** Returns where the answer begins in the file. Only the end of live output is kept. */
export function startOf(answer: Response): number {
  return Number(answer.headers.get('file-starts-at') ?? 0);
}

export interface ReadFileOptions extends CallOptions {
  /**
   * The position of the first byte that is wanted. The storage answers 206; the service itself sends
   * small files as a whole.
   */
  readonly from?: number | undefined;
}

/**
 * Streams a file. A large one redirects to the storage; the platform follows, and drops the token
 * because the origin differs.
 */
export function readFile(
  settings: Settings,
  file: FileOfJob | FileOfProject,
  { signal, from = 0 }: ReadFileOptions = {},
): Promise<Response> {
  const form =
    'job_id' in file
      ? '/files/{hpc}/{project_name}/{job_id}/{file_id}/'
      : '/folders/{hpc}/{project_name}/files/{file_id}/';
  const path = writePath(form, { ...file });
  const headers = { accept: '*/*', ...(from > 0 && { range: `bytes=${from}-` }) };
  return sendAndStream(settings, { method: 'GET', path, headers, signal });
}
