import { join } from 'node:path';
import { RemoteFileNotFoundError } from '../../errors.ts';
import { partsOfFolder } from '../record/job-folder.ts';

/** The output of the command. Their ids are their names; those of other files are never so. */
export const streams: readonly string[] = [partsOfFolder.stdout, partsOfFolder.stderr];

/** Leaves out names that could not be shown, or that Node cannot read because they are not UTF-8. */
export function isPlain(name: string): boolean {
  return !/[\p{C}\uFFFD]/u.test(name);
}

/** A file of the job that is called like its output must not be taken for it. */
function nameOf(path: string): string {
  return streams.includes(path) ? `${partsOfFolder.work}/${path}` : path;
}

/** Where files are: below the folder of a job, with its output, or below a folder of a project. */
export interface FilesPlace {
  readonly folder: string;
  /** True for a folder of a project, which has no output beside it. */
  readonly isProject?: boolean | undefined;
}

/** The folder whose files are listed by their paths from there. */
export function rootOf({ folder, isProject = false }: FilesPlace): string {
  return isProject ? folder : join(folder, partsOfFolder.work);
}

/** The output of a job comes before its files. */
export function streamsOf({ isProject = false }: FilesPlace): readonly string[] {
  return isProject ? [] : streams;
}

export function describeFile(place: FilesPlace, path: string, bytes: number) {
  return { id: encodeId(path), name: place.isProject ? path : nameOf(path), bytes };
}

/** Most files are called by their name in an address too. Others are encoded, after a mark. */
const encodedMark = '~';

export function encodeId(path: string): string {
  const isSimple = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(path) && !streams.includes(path);
  return isSimple ? path : `${encodedMark}${Buffer.from(path).toString('base64url')}`;
}

/** Returns the path below the working directory. Throws for an id that `encodeId` never makes. */
export function decodeId(fileId: string): string {
  const path = fileId.startsWith(encodedMark)
    ? Buffer.from(fileId.slice(encodedMark.length), 'base64url').toString()
    : fileId;
  const parts = path.split('/');
  const isSafe = isPlain(path) && !parts.some((part) => ['', '.', '..'].includes(part));
  if (!isSafe || encodeId(path) !== fileId) throw new RemoteFileNotFoundError();
  return path;
}
