import type { ObjectStore } from '../storage/object-store.ts';
import type { FetchedFile } from './job-file.ts';
import { nameToSave } from './job-file.ts';

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
