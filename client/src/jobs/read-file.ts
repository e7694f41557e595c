import { writePath } from '../calls/call.ts';
import { sendAndStream } from '../calls/send.ts';
import type { CallOptions, Settings } from '../calls/settings.ts';
import type { Job } from '../generated/operations.ts';

/** A file of a job: its list has the identifiers. */
export interface FileOfJob {
  readonly hpc: string;
  readonly project_name: string;
  readonly job_id: string;
  readonly file_id: string;
}

/** What to say where the list of a job's files is empty: only a job that lives may have some yet. */
export function describeNoFiles({ terminal_stage, stage }: Pick<Job, 'terminal_stage' | 'stage'>) {
  if (!terminal_stage) return 'The job has no files yet.';
  return stage === 'DELETED' ? 'The files of the job were deleted.' : 'The job left no files.';
}

/** Of output that was sent while its job ran only the end is kept: where in the file it begins. */
export function startOf(answer: Response): number {
  return Number(answer.headers.get('file-starts-at') ?? 0);
}

/**
 * The bytes of a file, as they come. A large one is at another address, where the platform goes by
 * itself and without the token, as it does from one origin to another.
 */
export function readFile(
  settings: Settings,
  file: FileOfJob,
  { signal }: CallOptions = {},
): Promise<Response> {
  const path = writePath('/files/{hpc}/{project_name}/{job_id}/{file_id}/', { ...file });
  const headers = { accept: '*/*' };
  return sendAndStream(settings, { method: 'GET', path, headers, signal });
}
