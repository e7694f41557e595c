import type { RemoteFile } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';

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
