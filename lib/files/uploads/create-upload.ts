import { randomUUID } from 'node:crypto';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { NoQuotaError, QuotaExceededError } from '#lib/quotas/errors.ts';
import { judgeSubmitter, kilobytesOf } from '#lib/quotas/holds.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { TooManyUploadsError, UploadsTooLargeError } from '../errors.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { listOneMore, putUpload, readOpenUploads } from './upload-store.ts';

interface NewUpload {
  readonly owner: UserId;
  readonly fileName: string;
  readonly bytes: number;
}

/** The URL to send the file to, and when it expires. */
export interface UploadOffer {
  readonly upload: Upload;
  readonly address: string;
  readonly addressExpiresAt: Date;
}

/**
 * Creates a URL for one file of exactly the announced length. It can be used once, so a file cannot
 * be replaced after it was inspected for a job.
 */
export async function createUpload(
  table: Table,
  catalog: Catalog,
  inputs: ObjectStore,
  file: NewUpload,
  at = new Date(),
): Promise<UploadOffer> {
  const quotas = await readOwnQuotas(table, catalog, file.owner);
  const upload: Upload = {
    ...file,
    id: randomUUID(),
    expiresAt: secondsLater(at, uploadSeconds.open),
  };
  await decideUntilWritten(async () => {
    const open = await readOpenUploads(table, file.owner, at);
    const project = firstProject(catalog);
    const refusal = judgeUpload(file.bytes, { quotas, open: open.uploads, project, now: at });
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

const maxOpenUploads = 10;

interface Circumstances {
  readonly quotas: readonly Quota[];
  readonly open: readonly Pick<Upload, 'bytes'>[];
  /** The project to name in the error if there is no quota at all. */
  readonly project: ProjectKey;
  readonly now: Date;
}

/**
 * Returns why an upload is refused, if it is. Nothing is held yet, but a file must be usable for at
 * least one job, and the user's open uploads must fit into their quotas.
 */
function judgeUpload(
  bytes: number,
  { quotas, open, project, now }: Circumstances,
): Error | undefined {
  const refusals = quotas.map((quota) => judgeSubmitter(accountOf(quota), quota, now));
  const usable = quotas.filter((_, index) => !refusals[index]);
  const [roomiest] = usable.toSorted((a, b) => b.space.left - a.space.left);
  if (!roomiest) return refusals.find((refusal) => refusal) ?? new NoQuotaError(project);
  const kilobytes = kilobytesOf(bytes);
  const { time, space } = roomiest;
  if (kilobytes > space.left) {
    const left = { seconds: time.left, kilobytes: space.left };
    return new QuotaExceededError(accountOf(roomiest), { seconds: 0, kilobytes }, left);
  }
  if (open.length >= maxOpenUploads) return new TooManyUploadsError(maxOpenUploads, open.length);
  const wanted = sum([...open, { bytes }].map((upload) => kilobytesOf(upload.bytes)));
  const room = sum(usable.map((quota) => quota.space.left));
  return wanted > room ? new UploadsTooLargeError(room, wanted) : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
