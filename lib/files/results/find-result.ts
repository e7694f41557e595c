import { isSystemFault } from '#lib/hpc/connector.ts';
import { RemoteFileNotFoundError } from '#lib/hpc/errors.ts';
import { StorageUnavailableError } from '../errors.ts';
import type { FileSource, NamedFile } from './job-file.ts';

/** A larger file is named, and fetched on its own. */
const mostIncludedBytes = 262_144;

/** What can be told of a file that one job among many was to write. */
export type FoundResult =
  | { readonly state: 'included'; readonly file: NamedFile; readonly content: Uint8Array }
  /** Too large to be included, or damaged. */
  | { readonly state: 'apart'; readonly file: NamedFile }
  | { readonly state: 'missing' }
  /** The system or the storage cannot be reached now. */
  | { readonly state: 'unavailable' };

/** Finds a file by its name. A fault of one job's system says nothing about the other jobs. */
export async function findResult(source: FileSource, name: string): Promise<FoundResult> {
  try {
    const file = await source.find(name, mostIncludedBytes);
    if (!file) return { state: 'missing' };
    const { content } = file;
    return content ? { state: 'included', file, content } : { state: 'apart', file };
  } catch (error) {
    if (error instanceof RemoteFileNotFoundError) return { state: 'missing' };
    if (error instanceof StorageUnavailableError || isSystemFault(error)) {
      return { state: 'unavailable' };
    }
    throw error;
  }
}
