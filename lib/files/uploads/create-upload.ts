import { randomUUID } from 'node:crypto';
import { type Catalog, defaultProject } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import {
  NoQuotaError,
  QuotaExceededError,
  QuotaExpiredError,
  SubmissionBannedError,
} from '#lib/quotas/errors.ts';
import { kilobytesOf } from '#lib/quotas/holds.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { readOwnQuotas } from '#lib/quotas/welcome.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { TooManyUploadsError, UploadsTooLargeError } from '../errors.ts';
import { uploadedKey } from '../object-keys.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { secondsLater, type Upload, uploadSeconds } from './upload.ts';
import { listOneMore, putUpload, readOpenUploads } from './upload-store.ts';

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

/** How many uploads of one user may wait for their jobs at a time. */
const maxOpenUploads = 10;

interface Circumstances {
  readonly quotas: readonly Quota[];
  /** Those for which no job has come yet. */
  readonly open: readonly Pick<Upload, 'bytes'>[];
  /** The project that is named where there is no quota at all. */
  readonly project: ProjectKey;
  readonly now: Date;
}

/**
 * Why no file of so many bytes may be sent; nothing where it may. Nothing is held yet, but nobody
 * should send what no job of theirs could begin with, nor keep more in the storage than their
 * quotas have room for.
 */
function judgeUpload(
  bytes: number,
  { quotas, open, project, now }: Circumstances,
): Error | undefined {
  const refusals = quotas.map((quota) => refuseSubmissions(quota, now));
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

function refuseSubmissions(quota: Quota, now: Date): Error | undefined {
  const { bans, validUntil } = quota;
  const ban = bans.everywhere ?? bans.here;
  if (ban !== undefined) return new SubmissionBannedError(accountOf(quota), ban);
  return validUntil && validUntil <= now
    ? new QuotaExpiredError(accountOf(quota), validUntil)
    : undefined;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
