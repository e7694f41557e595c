import type { JobId } from '#lib/catalog/identifiers.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { JobNotFoundError } from '../errors.ts';
import { readRequest } from '../job-request.ts';
import { findActiveJob, signedSeconds } from './find-active-job.ts';

/** Returns a freshly signed URL for the zip of an active job. */
export async function handOutInput(
  table: Table,
  inputs: ObjectStore,
  account: AccountKey,
  jobId: JobId,
): Promise<string> {
  const job = await findActiveJob(table, account, jobId);
  const key = (await readRequest(table, job))?.input.key;
  if (key === undefined) throw new JobNotFoundError();
  return inputs.addressToRead(key, { expiresInSeconds: signedSeconds });
}
