import { writePath } from '../calls/call.ts';
import { sendAndStream } from '../calls/send.ts';
import type { CallOptions, Settings } from '../calls/settings.ts';

/** A file of a job: its list has the identifiers. */
export interface FileOfJob {
  readonly hpc: string;
  readonly project_name: string;
  readonly job_id: string;
  readonly file_id: string;
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
