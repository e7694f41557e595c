import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { StorageUnavailableError, UploadGoneError, UploadNotFoundError } from '../errors.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { listAllParts, type SignedPart, signPart } from './upload-parts.ts';
import { findUpload } from './upload-store.ts';

/** The parts that have not arrived yet, or some of them. Complete if there are none. */
export interface UploadProgress {
  readonly upload: Upload;
  readonly missing: readonly SignedPart[];
  readonly addressExpiresAt: Date;
}

/** About as much as a slow line sends before the addresses expire. */
const partsAtOnce = 32;

/**
 * Tells what is missing of an upload, and joins its parts once nothing is. The storage knows what has
 * arrived, so a client that was interrupted goes on with the id of the upload alone.
 */
export async function continueUpload(
  table: Table,
  inputs: ObjectStore,
  { owner, id }: { readonly owner: UserId; readonly id: string },
  at = new Date(),
): Promise<UploadProgress> {
  const upload = await findUpload(table, owner, id, at).catch(nameGone);
  const missing = await findMissing(inputs, upload);
  const signed = missing.slice(0, partsAtOnce).map((part) => signPart(inputs, upload, part));
  return {
    upload,
    missing: await Promise.all(signed),
    addressExpiresAt: secondsLater(at, uploadSeconds.address),
  };
}

async function findMissing(inputs: ObjectStore, upload: Upload) {
  const { owner, id, partsId, bytes } = upload;
  const key = uploadedKey(owner, id);
  const all = listAllParts(upload);
  const arrived = partsId === undefined ? undefined : await inputs.parts.list(key, partsId);
  if (partsId === undefined || !arrived) {
    const isThere = (await inputs.measure(key)) === bytes;
    // Parts that are neither joined nor there were removed by the storage.
    if (!isThere && partsId !== undefined) throw new UploadGoneError();
    return isThere ? [] : all;
  }
  const whole = new Set(
    arrived
      .filter((part) => part.bytes === all[part.number - 1]?.bytes)
      .map(({ number }) => number),
  );
  const missing = all.filter(({ number }) => !whole.has(number));
  if (missing.length > 0) return missing;
  if (await inputs.parts.join(key, partsId, arrived)) return [];
  // A part was sent again meanwhile.
  throw new StorageUnavailableError();
}

function nameGone(error: unknown): never {
  throw error instanceof UploadNotFoundError ? new UploadGoneError() : error;
}
