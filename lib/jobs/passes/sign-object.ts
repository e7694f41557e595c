import {
  type AllowedBucket,
  type BucketAddress,
  findBucket,
  isBucketAddress,
  readBucketAddress,
} from '#lib/catalog/bucket-addresses.ts';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';
import { readRequest } from '../job-request.ts';
import { findActiveJob } from './find-active-job.ts';
import { signedSeconds } from './passes.ts';

export interface BucketContext {
  readonly table: Table;
  readonly catalog: Catalog;
  /** Returns undefined if the service has no credentials for the bucket. */
  readonly openBucket: (bucket: AllowedBucket) => ObjectStore | undefined;
}

/** Signs the address of an object that a job fetches, by its number among the inputs. */
export async function signFetch(
  { table, catalog, openBucket }: BucketContext,
  account: AccountKey,
  jobId: JobId,
  number: number,
): Promise<string> {
  const job = await findActiveJob(table, account, jobId);
  const from = (await readRequest(table, job))?.fetches?.[number]?.from ?? '';
  const { inputs } = findSystem(catalog, account.hpc);
  const { store, key } = openAllowed(openBucket, from, readBucketAddress, inputs?.buckets);
  return store.addressToRead(key, { expiresInSeconds: signedSeconds });
}

/** Signs the address of an object that the service fetches for a job, which takes some minutes. */
export async function signForService(
  openBucket: BucketContext['openBucket'],
  from: string,
  buckets: readonly AllowedBucket[],
): Promise<string> {
  const { store, key } = openAllowed(openBucket, from, readBucketAddress, buckets);
  return store.addressToRead(key, { expiresInSeconds: 15 * 60 });
}

/** A file that a job sends, by the number of its output. */
export interface AnnouncedObject {
  readonly number: number;
  /** Its path in the folder of the job, which was judged as a key. */
  readonly file: string;
  readonly length: number;
  readonly sha256: string;
}

/**
 * Signs the address of an object that a job sends: within the folder that its submission names, and
 * for the announced content alone.
 */
export async function signSend(
  { table, catalog, openBucket }: BucketContext,
  account: AccountKey,
  jobId: JobId,
  { number, file, length: bytes, sha256 }: AnnouncedObject,
): Promise<string> {
  const job = await findActiveJob(table, account, jobId);
  const to = (await readRequest(table, job))?.sends?.[number]?.to ?? '';
  const { outputs } = findSystem(catalog, account.hpc);
  const within = (text: string) => readBucketAddress(text.endsWith('/') ? text + file : text);
  const { store, key } = openAllowed(openBucket, to, within, outputs?.buckets);
  return store.addressToWrite(key, { expiresInSeconds: signedSeconds, bytes, sha256 });
}

function openAllowed(
  openBucket: BucketContext['openBucket'],
  text: string,
  read: (text: string) => BucketAddress,
  buckets: readonly AllowedBucket[] | undefined,
): { readonly store: ObjectStore; readonly key: string } {
  const address = isBucketAddress(text) ? read(text) : undefined;
  const bucket = address && findBucket(address, buckets);
  const store = bucket && openBucket(bucket);
  if (!store) throw new JobNotFoundError();
  return { store, key: address.key };
}
