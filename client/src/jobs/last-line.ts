import type { CallOptions } from '../calls/settings.ts';
import { tell } from '../format/sentences/tell.ts';
import type { Job, JobFile, Timeline } from '../generated/operations.ts';
import type { FileOfJob, ReadFileOptions } from './read-file.ts';
import { placeOf } from './submission.ts';

/** Chooses the output, or the errors of a job that failed. */
export function chooseOutput(
  files: readonly JobFile[],
  { failed }: Pick<Job, 'failed'>,
): JobFile | undefined {
  const find = (form: RegExp) => files.find((file) => form.test(file.filename) && file.length > 0);
  const errors = failed ? find(/^stderr\b|\.err$/) : undefined;
  return errors ?? find(/^stdout\b|\.out$/);
}

interface FilesOfJobs {
  listFiles(
    job: Omit<FileOfJob, 'file_id'>,
    options?: CallOptions,
  ): PromiseLike<readonly JobFile[]>;
  readFile(file: FileOfJob, options?: ReadFileOptions): Promise<Response>;
}

/** Enough for any line that people read. */
const mostBytes = 4_000;
const mostLetters = 200;

/** More would be sent as a whole, in a list that shows one line of it. */
const mostOfFile = 4_000_000;

/**
 * Reads the last line that a job wrote, which mostly says why it failed. Returns undefined if the job
 * wrote nothing, or if its output cannot be read now: a list is shown all the same.
 */
export async function readLastLine(
  client: FilesOfJobs,
  job: Job,
  options: CallOptions = {},
): Promise<string | undefined> {
  try {
    const place = placeOf(job);
    const file = chooseOutput(await client.listFiles(place, options), job);
    if (!file || file.length > mostOfFile) return undefined;
    const from = Math.max(0, file.length - mostBytes);
    const answer = await client.readFile({ ...place, file_id: file.fileid }, { ...options, from });
    return lastLineOf(await answer.text());
  } catch {
    return undefined;
  }
}

interface TimelinesOfJobs extends FilesOfJobs {
  getTimeline(
    job: Omit<FileOfJob, 'file_id'>,
    options?: CallOptions,
  ): PromiseLike<Pick<Timeline, 'reason'>>;
}

/** Reads why a job failed: what it wrote last, or what its system or the service says of it. */
export async function readWhyFailed(
  client: TimelinesOfJobs,
  job: Job,
  options: CallOptions = {},
): Promise<string | undefined> {
  const last = await readLastLine(client, job, options);
  if (last !== undefined) return last;
  try {
    const { reason } = await client.getTimeline(placeOf(job), options);
    return reason === null ? undefined : tell(reason);
  } catch {
    return undefined;
  }
}

/** Returns the last line that says something, without colours. */
function lastLineOf(text: string): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences for colours begin with one.
  const plain = text.replaceAll(/\u001b\[[\d;]*[A-Za-z]/g, '');
  return plain
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .findLast((line) => line !== '')
    ?.slice(0, mostLetters);
}
