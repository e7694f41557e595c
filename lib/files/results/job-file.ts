import type { RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import type { ObjectStore } from '../storage/object-store.ts';

/** Where the files of one job are, whoever keeps them. */
export interface FileSource {
  /** By name. */
  list(): Promise<readonly RemoteFile[]>;
  fetch(fileId: string): Promise<FetchedFile>;
}

/** The bytes of a file where one answer can carry them, else an address that has them. */
export type FetchedFile =
  | {
      readonly kind: 'bytes';
      readonly name: string;
      readonly bytes: Uint8Array;
      /** Set for output that was sent while its job ran: how many bytes came before the first one. */
      readonly startsAt?: number;
    }
  | { readonly kind: 'address'; readonly address: string };

/** Of a job that has not been handed over yet, or was deleted. */
export const noFiles: FileSource = {
  list: async () => [],
  async fetch() {
    throw new RemoteFileNotFoundError();
  },
};

export function sortByName<T extends { readonly name: string }>(files: readonly T[]): T[] {
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What a file is saved as: the last part of its path, in characters that every system takes. */
export function nameToSave(path: string): string {
  const last = path.replace(/.*[/\\]/s, '');
  const clean = last.toWellFormed().replaceAll(/\p{Cc}/gu, '_');
  return /^\.{0,2}$/.test(clean) ? 'file' : clean;
}

/** What one answer of a function carries: 6 MB, and bytes grow by a third on their way. */
export const inlineBytes = 4_500_000;

const addressSeconds = 15 * 60;

/** Signs an address for something that lies in the storage. */
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
