import type { FilePage, ListedFile, PageWish, RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** The files of one job, wherever they are kept. */
export interface FileSource {
  /** Sorted by name. */
  list(): Promise<readonly RemoteFile[]>;
  /** Lists a part of them. */
  page(wish: PageWish): Promise<FilePage>;
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
  page: async () => ({ files: [], next: undefined }),
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

/** Chooses a page of files that are all known. Those in deeper folders show as these folders. */
export function choosePage(
  all: readonly RemoteFile[],
  { folder, after = '', limit }: PageWish,
): FilePage {
  const known = new Map<string, ListedFile>();
  for (const file of all) {
    const entry = folder === undefined ? { ...file, position: file.name } : placeIn(folder, file);
    if (entry && entry.position > after) known.set(entry.position, entry);
  }
  const files = sortByName([...known.values()]);
  const page = files.slice(0, limit);
  return { files: page, next: files.length > limit ? page.at(-1)?.position : undefined };
}

/** Returns the file, or the folder directly in this one that it is in. */
export function placeIn(folder: string, file: RemoteFile): ListedFile | undefined {
  if (!file.name.startsWith(folder)) return undefined;
  const end = file.name.indexOf('/', folder.length) + 1;
  if (end === 0) return { ...file, position: file.name };
  const name = file.name.slice(0, end);
  return { id: '', name, bytes: 0, position: name, isFolder: true };
}

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
