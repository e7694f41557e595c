import { randomUUID } from 'node:crypto';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { NoQuotaError, QuotaExceededError } from '#lib/quotas/errors.ts';
import type { Quota } from '#lib/quotas/quota.ts';
import { readOwnQuotas } from '#lib/quotas/welcome/read-own-quotas.ts';
import type { Table } from '#lib/table/table.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { putUpload } from './upload-store.ts';

export interface UploadWish {
  readonly owner: UserId;
  readonly fileName: string;
  readonly bytes: number;
}

/** Where the file goes, and until when it is taken there. */
export interface UploadOffer {
  readonly upload: Upload;
  readonly address: string;
  readonly addressExpiresAt: Date;
}

/**
 * An address for one file, of exactly the length that was announced, once: what was inspected when
 * a job began with it cannot be replaced afterwards.
 */
export async function createUpload(
  table: Table,
  catalog: Catalog,
  inputs: ObjectStore,
  wish: UploadWish,
  at = new Date(),
): Promise<UploadOffer> {
  refuseTooLarge(catalog, await readOwnQuotas(table, catalog, wish.owner), wish.bytes);
  const upload: Upload = {
    ...wish,
    id: randomUUID(),
    expiresAt: secondsLater(at, uploadSeconds.record),
  };
  await putUpload(table, upload);
  const address = await inputs.addressToWrite(uploadedKey(upload.owner, upload.id), {
    expiresInSeconds: uploadSeconds.address,
    bytes: upload.bytes,
    once: true,
  });
  return { upload, address, addressExpiresAt: secondsLater(at, uploadSeconds.address) };
}

/** Nothing is held yet, but nobody should send gigabytes that no job of theirs may begin with. */
function refuseTooLarge({ systems }: Catalog, quotas: readonly Quota[], bytes: number): void {
  const kilobytes = Math.ceil(bytes / 1000);
  const [roomiest] = [...quotas].sort((a, b) => b.space.left - a.space.left);
  if (!roomiest) {
    const [project] = systems.map(defaultProject);
    if (!project) throw new Error('The catalog has no HPC system.');
    throw new NoQuotaError({ hpc: project.hpc, project: project.name });
  }
  const { project, time, space } = roomiest;
  if (space.left >= kilobytes) return;
  throw new QuotaExceededError(
    { hpc: project.hpc, project: project.name },
    { seconds: 0, kilobytes },
    { seconds: time.left, kilobytes: space.left },
  );
}
