import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../calls/put-file.ts';
import type { Job, JobFile } from '../generated/operations.ts';
import type { FileOfJob } from '../jobs/read-file.ts';
import { placeOf } from '../jobs/submission.ts';
import { ServiceUnreachable } from '../problems/errors.ts';
import type { Slipway } from '../slipway.ts';

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

export interface SaveOptions {
  /** Told how many bytes have been written, of how many. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

const tries = 3;

/**
 * Writes a file of a job to the disk, and says how many bytes it has. It has its name once all of it
 * is there; what was there before is replaced.
 */
export async function saveFile(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob,
  path: string,
  options: SaveOptions = {},
): Promise<number> {
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.${process.pid}.part`;
  try {
    const bytes = await receive(client, file, part, options);
    await rename(part, path);
    return bytes;
  } finally {
    await rm(part, { force: true });
  }
}

/** A connection that breaks in the middle is begun anew. */
async function receive(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob,
  part: string,
  { onProgress, signal }: SaveOptions,
): Promise<number> {
  for (let left = tries; ; ) {
    const answer = await client.readFile(file, { ...(signal && { signal }) });
    try {
      return await writeBody(answer, part, { onProgress, signal });
    } catch (error) {
      signal?.throwIfAborted();
      left -= 1;
      if (left === 0 || isOfDisk(error)) throw error;
    }
  }
}

async function writeBody(answer: Response, part: string, { onProgress, signal }: SaveOptions) {
  const announced = answer.headers.get('content-length');
  const whole = announced === null ? 0 : Number(announced);
  let written = 0;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body ?? []) {
      yield chunk;
      written += chunk.length;
      onProgress?.(written, Math.max(whole, written));
    }
  }
  await pipeline(count(), createWriteStream(part), { ...(signal && { signal }) });
  if (announced !== null && written !== whole) {
    throw new ServiceUnreachable(`Only ${written} of ${whole} bytes came.`);
  }
  return written;
}

/** What the disk refuses it refuses the next time as well. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read';
}

type CleanedPath = { readonly path: string } | { readonly reason: string };

/** Control characters and marks that turn the direction of writing: what nobody can type or see. */
const unfit = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** What Windows takes for something else than a file, or not at all. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const unfitOnWindows = /[<>:"|?*]|[. ]$/g;

/**
 * The name of a job's file as a path below a folder. What is unfit in it becomes `_`; a name that
 * leads out of the folder, or is none, has no path, because any other would be a guess.
 */
export function cleanPath(name: string, platform: NodeJS.Platform = process.platform): CleanedPath {
  const parts = name.split(/[/\\]/);
  if (parts.includes('..') || /^([/\\]|[a-z]:)/i.test(name)) {
    return { reason: 'Its name leads out of the folder.' };
  }
  const last = parts.at(-1);
  if (last === '' || last === '.') return { reason: 'It has no name.' };
  const kept = parts.filter((part) => part !== '' && part !== '.');
  return { path: kept.map((part) => cleanPart(part, platform)).join('/') };
}

function cleanPart(part: string, platform: NodeJS.Platform): string {
  const clean = part.replaceAll(unfit, '_');
  if (platform !== 'win32') return clean;
  const taken = clean.replaceAll(unfitOnWindows, '_');
  return reserved.test(taken) ? `_${taken}` : taken;
}
