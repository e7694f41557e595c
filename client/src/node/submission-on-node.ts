import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Submission } from '../jobs/submission.ts';
import { packFolder } from './pack/pack-folder.ts';
import { type TemporaryFile, writeTemporaryFile } from './pack/temporary-file.ts';

/** Its input may also be a folder, which is packed, or a zip on the disk. At most one is given. */
export interface SubmissionOnNode extends Submission {
  readonly folder?: string | undefined;
  /** The path of a zip. */
  readonly zip?: string | undefined;
}

/** Does something with a submission whose input can be sent, and clears up what that took. */
export async function withInput<Result>(
  { folder, zip, ...submission }: SubmissionOnNode,
  use: (submission: Submission) => Promise<Result>,
): Promise<Result> {
  const { input, signal } = submission;
  if ([folder, zip, input].filter((each) => each !== undefined).length > 1) {
    throw new TypeError("Give one of 'folder', 'zip' and 'input'.");
  }
  if (zip !== undefined) {
    return use({ filename: basename(zip), ...submission, input: await openAsBlob(zip) });
  }
  const file = await writeInput(folder ?? input, signal);
  if (!file) return use(submission);
  try {
    return await use({ ...submission, input: file.blob });
  } finally {
    await file.remove();
  }
}

/** A folder as a zip; a stream as a file, because it cannot be sent twice and may be long. */
async function writeInput(
  input: string | Submission['input'],
  signal?: AbortSignal,
): Promise<TemporaryFile | undefined> {
  if (typeof input === 'string') return packFolder(input, { ...(signal && { signal }) });
  if (!(input instanceof ReadableStream)) return undefined;
  return writeTemporaryFile((file) => file.writeFile(input, { ...(signal && { signal }) }));
}
