import type { RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** The files of one job, wherever they are kept. */
export interface FileSource {
  /** Sorted by name. */
  list(): Promise<readonly RemoteFile[]>;
  fetch(fileId: string): Promise<FetchedFile>;
  /** Finds a file by its name, and reads it if it has at most `mostBytes`. */
  find(name: string, mostBytes: number): Promise<NamedFile | undefined>;
}

/** A file, with its content if that was wanted and can be read. */
export interface NamedFile extends RemoteFile {
  readonly content?: Uint8Array;
}

/** The bytes of a file if they fit into one response, otherwise a URL to fetch them from. */
export type FetchedFile =
  | {
      readonly kind: 'bytes';
      readonly name: string;
      readonly bytes: Uint8Array;
      /** Set for output that was sent while its job ran: how many bytes precede this part. */
      readonly startsAt?: number;
    }
  | { readonly kind: 'address'; readonly address: string };

/** For a job that was deleted, or has not been handed over yet. */
export const noFiles: FileSource = {
  list: async () => [],
  async fetch() {
    throw new RemoteFileNotFoundError();
  },
  find: async () => undefined,
};

/**
 * Chooses the file that somebody calls by a name, the last one if there are several. Systems name
 * the output in their own ways: `stdout`, `slurm-12.out`.
 */
export function chooseByName<File>(
  files: readonly File[],
  nameOf: (file: File) => string,
  wanted: string,
): File | undefined {
  const found = files.findLast((file) => nameOf(file) === wanted);
  const ending = endings[wanted];
  if (found || ending === undefined) return found;
  return files.find((file) => nameOf(file).endsWith(ending));
}

const endings: Readonly<Record<string, string>> = { stdout: '.out', stderr: '.err' };

export function sortByName<T extends { readonly name: string }>(files: readonly T[]): T[] {
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Returns the name to save a file under: the last part of its path, without control characters. */
export function nameToSave(path: string): string {
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const clean = last.toWellFormed().replaceAll(/\p{Cc}/gu, '_');
  return /^\.{0,2}$/.test(clean) ? 'file' : clean;
}

/** A function's response may have 6 MB, and base64 adds a third. */
export const inlineBytes = 4_500_000;

const addressSeconds = 15 * 60;

export async function pointToFile(
  results: ObjectStore,
  key: string,
  name: string,
): Promise<FetchedFile> {
  const address = await results.addressToRead(key, {
    expiresInSeconds: addressSeconds,
    fileName: nameToSave(name),
  });
  return { kind: 'address', address };
}
