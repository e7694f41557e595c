import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import { decodeText } from '../call-upstream.ts';
import type { OpenedFile, RemoteFile } from '../connector.ts';
import {
  AnswerTooLargeError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
} from '../errors.ts';
import { jobFolder } from '../script/build-script.ts';
import {
  Directory,
  isSuccess,
  readAnswer,
  readErrorMessage,
  requireSuccess,
  Storage,
} from './read-answer.ts';
import type { UnicoreSession } from './session.ts';

/** Limits of one listing, because a job may have written a million files. */
const maxFolders = 20;
const maxFiles = 1000;

/** The name of our script in a working directory. */
export const scriptFile = 'slipway.sh';

/** Asks again soon: the directory of a job is made within seconds. */
const storagePauseSeconds = 2;
const uploadPauseSeconds = 30;

/**
 * Uploads the input of a job. The batch system's side makes the directory after UNICORE has accepted
 * the job, and an upload before that fails. Somebody tries again later; nobody waits here.
 */
export async function uploadInput(
  session: UnicoreSession,
  directory: string | undefined,
  source: ByteSource,
): Promise<void> {
  if (directory === undefined || !(await isReady(session, directory))) {
    throw new SystemBusyError(
      'UNICORE: the directory of the job is not ready.',
      storagePauseSeconds,
      { said: 'The HPC system is still preparing the directory of the job.' },
    );
  }
  const answer = await session.call({
    url: addressOf(directory, 'input.zip'),
    method: 'PUT',
    // With a JSON type UNICORE would change the file's properties.
    headers: { 'Content-Type': 'application/octet-stream' },
    body: source,
    // Only this job's input is refused, and others may get through.
    takesAnswer: (answer) => answer.status >= 500 && readErrorMessage(answer) !== undefined,
  });
  if (answer.status >= 500) {
    const message = `UNICORE: the upload was refused: ${readErrorMessage(answer)}`;
    throw new SystemBusyError(message, uploadPauseSeconds, {
      said: 'The HPC system did not accept the input of the job.',
    });
  }
  requireSuccess(answer);
}

async function isReady(session: UnicoreSession, directory: string): Promise<boolean> {
  const answer = await session.call({ url: directory });
  return answer.status !== 404 && readAnswer(Storage, answer).resourceStatus === 'READY';
}

/** UNICORE's own files. Jobs that an older Slipway handed over have theirs in between. */
const ownFiles = /^(?:UNICORE_|TSI_submit_|bss_submit_)/;

/**
 * Lists the results of a job. They are in a folder that our script makes, so nothing of UNICORE's
 * and nothing of the script's is among them.
 */
export async function listResults(
  session: UnicoreSession,
  directory: string,
): Promise<RemoteFile[]> {
  const results = await readDirectory(session, directory, jobFolder);
  if (results) return listBelow(session, directory, jobFolder, results);
  const all = (await readDirectory(session, directory, '')) ?? [];
  const names = all.map(([path]) => cleanPath(path));
  // The job has not begun.
  if (names.includes(scriptFile)) return [];
  const files = await listBelow(session, directory, '', all);
  return files.filter(({ name }) => !ownFiles.test(name));
}

type Entries = [string, { readonly isDirectory: boolean; readonly size: number }][];

/** Lists breadth first, so that the deepest files are cut off. */
async function listBelow(
  session: UnicoreSession,
  directory: string,
  folder: string,
  entries: Entries,
): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  const folders: string[] = [];
  const sort = (some: Entries) => {
    for (const [path, { isDirectory, size }] of some) {
      const name = cleanPath(path);
      if (name === undefined) continue;
      const shown = folder === '' ? name : name.slice(folder.length + 1);
      if (!isDirectory)
        files.push({ id: Buffer.from(name).toString('base64url'), name: shown, bytes: size });
      else if (folders.length < maxFolders && !folders.includes(name)) folders.push(name);
    }
  };
  sort(entries);
  for (const each of folders) sort((await readDirectory(session, directory, each)) ?? []);
  return files.slice(0, maxFiles);
}

export async function openInDirectory(
  session: UnicoreSession,
  directory: string,
  fileId: string,
): Promise<OpenedFile> {
  const path = cleanPath(Buffer.from(fileId, 'base64url').toString());
  if (path === undefined) throw new RemoteFileNotFoundError();
  const answer = await session.call({
    url: addressOf(directory, path),
    headers: { Accept: 'application/octet-stream' },
    streams: true,
  });
  // 406: a directory has no bytes.
  if ([400, 404, 406].includes(answer.status)) throw new RemoteFileNotFoundError();
  requireSuccess(answer);
  if (!answer.content) throw new SystemUnavailableError('UNICORE: the file has no content.');
  return answer.content;
}

/** Reads a small file as text. Returns undefined if there is none, or if it is not a small file. */
export async function readSmallFile(
  session: UnicoreSession,
  directory: string,
  name: string,
): Promise<string | undefined> {
  try {
    const answer = await session.call({
      url: addressOf(directory, name),
      headers: { Accept: 'application/octet-stream' },
      maxAnswerBytes: 100_000,
    });
    return isSuccess(answer.status) ? decodeText(answer) : undefined;
  } catch (error) {
    if (error instanceof AnswerTooLargeError) return undefined;
    throw error;
  }
}

/** Returns undefined if there is no such directory. */
async function readDirectory(
  session: UnicoreSession,
  directory: string,
  path: string,
): Promise<Entries | undefined> {
  const answer = await session.call({ url: addressOf(directory, path) });
  if (answer.status === 404) return undefined;
  return Object.entries(readAnswer(Directory, answer).content);
}

function addressOf(directory: string, path: string): string {
  return `${directory}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/**
 * Returns the path below the directory, or undefined if it could lead elsewhere, or if UNICORE cannot
 * serve it: it refuses every address with an encoded percent sign or backslash.
 */
function cleanPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const unsafe = parts.some((part) => part === '.' || part === '..' || /[\p{C}\\%]/u.test(part));
  const clean = parts.join('/');
  return unsafe || clean === '' || clean.length > 255 ? undefined : clean;
}
