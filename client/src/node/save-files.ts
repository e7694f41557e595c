import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Progress } from '../calls/put-file.ts';
import type { CallOptions } from '../calls/settings.ts';
import type { Job, JobFile } from '../generated/operations.ts';
import type { FileOfJob, FileOfProject, ReadFileOptions } from '../jobs/read-file.ts';
import { placeOf } from '../jobs/submission.ts';
import { ServiceUnreachable, SlipwayProblem } from '../problems/errors.ts';
import type { ProjectPlace } from '../rows/match-projects.ts';
import type { Slipway } from '../slipway.ts';
import { phrase } from '../words/folders.ts';

export interface SaveFilesOptions extends SaveOptions {
  /** The files to save. Default: all. */
  readonly only?: (file: JobFile) => boolean;
  /**
   * Called for each file that cannot be saved under its name. Without it, `saveFiles` throws
   * `FilesSkipped` after saving all others.
   */
  readonly onSkip?: (file: SkippedFile) => void;
}

/** A saved file. Its path may differ from its name, if the disk cannot hold that name. */
export interface SavedFile extends JobFile {
  readonly path: string;
}

/** A file of a job that was not saved, and why. */
export interface SkippedFile extends JobFile {
  readonly reason: string;
}

/** Some files were skipped. All others were saved. */
export class FilesSkipped extends Error {
  override readonly name = 'FilesSkipped';
  readonly saved: readonly SavedFile[];
  readonly skipped: readonly SkippedFile[];

  constructor(saved: readonly SavedFile[], skipped: readonly SkippedFile[]) {
    const names = skipped.map(({ filename, reason }) => `${JSON.stringify(filename)}: ${reason}`);
    super(phrase('someNotSaved', { names: names.join(' ') }));
    this.saved = saved;
    this.skipped = skipped;
  }
}

/** Most disks on these platforms ignore case. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

/**
 * Saves the files of a job, or of the folder of a project, below a folder, one after the other. Jobs
 * choose these names freely, so names are cleaned, and a file whose name the disk cannot hold is
 * skipped without stopping the others.
 */
export async function saveFiles(
  client: Pick<Slipway, 'listFiles' | 'listProjectFiles' | 'readFile'>,
  source: Job | ProjectPlace,
  folder: string,
  { only = () => true, onProgress, onSkip, signal }: SaveFilesOptions = {},
): Promise<SavedFile[]> {
  const { place, listed } = await listSource(client, source, { ...(signal && { signal }) });
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
      skip(file, phrase('nameTwice'));
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

async function listSource(
  client: Pick<Slipway, 'listFiles' | 'listProjectFiles'>,
  source: Job | ProjectPlace,
  options: CallOptions,
) {
  if ('job_id' in source) {
    const place = placeOf(source);
    return { place, listed: await client.listFiles(place, options) };
  }
  const { hpc, project_name } = source;
  const listed: JobFile[] = [];
  for await (const file of client.listProjectFiles({ hpc, project_name }, options)) {
    listed.push(file);
  }
  return { place: { hpc, project_name }, listed };
}

type NameProblem = 'folderIsFile' | 'nameOfFolder' | 'nameTooLong' | 'nameRefused';

/** Errors that concern one name. All other errors of the disk concern every file. */
const nameProblems = new Map<string, NameProblem>([
  ['ENOTDIR', 'folderIsFile'],
  ['EEXIST', 'folderIsFile'],
  ['EISDIR', 'nameOfFolder'],
  ['ENOTEMPTY', 'nameOfFolder'],
  ['ENAMETOOLONG', 'nameTooLong'],
  ['EINVAL', 'nameRefused'],
  ['EILSEQ', 'nameRefused'],
]);

function explainName(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const problem = typeof code === 'string' ? nameProblems.get(code) : undefined;
  return problem && phrase(problem);
}

export interface SaveOptions {
  /** Called with the bytes written, and their total. */
  readonly onProgress?: Progress | undefined;
  readonly signal?: AbortSignal | undefined;
}

const tries = 3;

/**
 * Saves a file of a job and returns its size in bytes. The file gets its name when it is complete,
 * and replaces an older one.
 */
export async function saveFile(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob | FileOfProject,
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

/** Goes on with a download that broke off, as long as it gets further. */
async function receive(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob | FileOfProject,
  part: string,
  { onProgress, signal }: SaveOptions,
): Promise<number> {
  let version: string | null = null;
  let furthest = 0;
  for (let left = tries; ; ) {
    const from = isStrong(version) ? await sizeOf(part) : 0;
    const answer = await askFrom(client, file, { from, ...(signal && { signal }) }, version);
    const place = answer.status === 206 ? from : 0;
    version = answer.headers.get('etag');
    try {
      return await writeBody(answer, part, { from: place, onProgress, signal });
    } catch (error) {
      signal?.throwIfAborted();
      const reached = await sizeOf(part);
      left = reached > furthest ? tries : left - 1;
      furthest = Math.max(furthest, reached);
      if (left === 0 || isOfDisk(error)) throw error;
    }
  }
}

/** Without a strong version, the file may be another one when it is asked for again. */
function isStrong(version: string | null): boolean {
  return version?.startsWith('"') ?? false;
}

/** Asks for the rest of a file, or for the whole if it is another one by now. */
async function askFrom(
  client: Pick<Slipway, 'readFile'>,
  file: FileOfJob | FileOfProject,
  { from = 0, signal }: ReadFileOptions,
  version: string | null,
): Promise<Response> {
  const askWhole = () => client.readFile(file, { ...(signal && { signal }) });
  if (from === 0) return askWhole();
  try {
    const answer = await client.readFile(file, { from, ...(signal && { signal }) });
    const { status, headers } = answer;
    const isRest = firstByteOf(answer) === from && headers.get('etag') === version;
    if (status !== 206 || isRest) return answer;
    await answer.body?.cancel();
  } catch (error) {
    // The file is not longer than what is here.
    if (!(error instanceof SlipwayProblem && error.status === 416)) throw error;
  }
  return askWhole();
}

function firstByteOf({ headers }: Response): number {
  return Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1]);
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function writeBody(
  answer: Response,
  part: string,
  { from, onProgress, signal }: SaveOptions & { readonly from: number },
) {
  const announced = answer.headers.get('content-length');
  const whole = announced === null ? 0 : from + Number(announced);
  let written = from;
  async function* count(): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body ?? []) {
      yield chunk;
      written += chunk.length;
      onProgress?.(written, Math.max(whole, written));
    }
  }
  const out = createWriteStream(part, { flags: from > 0 ? 'a' : 'w' });
  await pipeline(count(), out, { ...(signal && { signal }) });
  if (announced !== null && written !== whole) {
    throw new ServiceUnreachable(phrase('someBytes', { written, whole }));
  }
  return written;
}

/** Errors of the disk, which a retry would not fix. */
function isOfDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall !== 'read';
}

type CleanedPath = { readonly path: string } | { readonly reason: string };

/** Control characters and direction marks, which nobody can type or see. */
const unfit = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Names and characters that Windows does not accept for files. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;
const unfitOnWindows = /[<>:"|?*]|[. ]$/g;

/**
 * Turns the name of a job's file into a path below a folder. Unfit characters become `_`. Refuses
 * names that are empty or lead out of the folder, because any other path would be a guess.
 */
export function cleanPath(name: string, platform: NodeJS.Platform = process.platform): CleanedPath {
  const parts = name.split(/[/\\]/);
  if (parts.includes('..') || /^([/\\]|[a-z]:)/i.test(name)) {
    return { reason: phrase('leadsOut') };
  }
  const last = parts.at(-1);
  if (last === '' || last === '.') return { reason: phrase('nameEmpty') };
  const kept = parts.filter((part) => part !== '' && part !== '.');
  return { path: kept.map((part) => cleanPart(part, platform)).join('/') };
}

function cleanPart(part: string, platform: NodeJS.Platform): string {
  const clean = part.replaceAll(unfit, '_');
  if (platform !== 'win32') return clean;
  const taken = clean.replaceAll(unfitOnWindows, '_');
  return reserved.test(taken) ? `_${taken}` : taken;
}
