import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import type { OpenedFile, RemoteFile } from '../connector.ts';
import { RemoteFileNotFoundError, SystemUnavailableError } from '../errors.ts';
import { Directory, readAnswer, requireSuccess } from './read-answer.ts';
import type { UnicoreSession } from './session.ts';

/** Limits of one listing, because a job may have written a million files. */
const maxDirectories = 20;
const maxFiles = 1000;

export async function uploadFile(
  session: UnicoreSession,
  directory: string,
  name: string,
  source: ByteSource,
): Promise<void> {
  const answer = await session.call({
    url: addressOf(directory, name),
    method: 'PUT',
    // With a JSON type UNICORE would change the file's properties.
    headers: { 'Content-Type': 'application/octet-stream' },
    body: source,
  });
  requireSuccess(answer);
}

/** Lists breadth first, so that the deepest files are cut off. */
export async function listDirectory(
  session: UnicoreSession,
  directory: string,
): Promise<RemoteFile[]> {
  const files: RemoteFile[] = [];
  const paths = [''];
  for (const path of paths) {
    for (const [found, { isDirectory, size }] of await readDirectory(session, directory, path)) {
      const name = cleanPath(found);
      if (name === undefined) continue;
      if (!isDirectory) files.push({ id: encodeId(name), name, bytes: size });
      else if (paths.length < maxDirectories && !paths.includes(name)) paths.push(name);
    }
  }
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

async function readDirectory(session: UnicoreSession, directory: string, path: string) {
  const answer = await session.call({ url: addressOf(directory, path) });
  if (answer.status === 404) return [];
  return Object.entries(readAnswer(Directory, answer).content);
}

function addressOf(directory: string, path: string): string {
  return `${directory}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}

/** Returns the path below the directory, or undefined if it could lead elsewhere. */
export function cleanPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '');
  const unsafe = parts.some((part) => part === '.' || part === '..' || /[\p{C}\\]/u.test(part));
  const clean = parts.join('/');
  return unsafe || clean === '' || clean.length > 255 ? undefined : clean;
}

function encodeId(path: string): string {
  return Buffer.from(path).toString('base64url');
}
