import { randomUUID } from 'node:crypto';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { judgeUpload } from './judge-upload.ts';
import { listOneMore, readOpenUploads } from './open-uploads.ts';
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
  const quotas = await readOwnQuotas(table, catalog, wish.owner);
  const upload: Upload = {
    ...wish,
    id: randomUUID(),
    expiresAt: secondsLater(at, uploadSeconds.open),
  };
  await decideUntilWritten(async () => {
    const open = await readOpenUploads(table, wish.owner, at);
    const project = firstProject(catalog);
    const refusal = judgeUpload(wish.bytes, { quotas, open: open.uploads, project, now: at });
    if (refusal) throw refusal;
    await writeTransaction(table, [listOneMore(open, upload), putUpload(upload)]);
  });
  const address = await inputs.addressToWrite(uploadedKey(upload.owner, upload.id), {
    expiresInSeconds: uploadSeconds.address,
    bytes: upload.bytes,
    once: true,
  });
  return { upload, address, addressExpiresAt: secondsLater(at, uploadSeconds.address) };
}

function firstProject({ systems }: Catalog): ProjectKey {
  const [project] = systems.map(defaultProject);
  if (!project) throw new Error('The catalog has no HPC system.');
  return { hpc: project.hpc, project: project.name };
}
