import type { Catalog } from '#lib/catalog/catalog.ts';
import { findSystem } from '#lib/catalog/catalog.ts';
import { maxResultsBytes } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { ResultsTooLargeError } from '../errors.ts';
import { findLivingJob } from './find-living-job.ts';
import { signedSeconds } from './signed-seconds.ts';

export interface ResultsContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly results: ObjectStore;
}

/** Where a living job may send its results: once, and exactly so many bytes. */
export async function takeResults(
  { table, catalog, results }: ResultsContext,
  account: AccountKey,
  jobId: JobId,
  bytes: number,
): Promise<string> {
  const { owner } = await findLivingJob(table, account, jobId);
  const limit = maxResultsBytes(findSystem(catalog, account.hpc));
  if (bytes > limit) throw new ResultsTooLargeError(bytes, limit);
  const options = { expiresInSeconds: signedSeconds, bytes, once: true };
  return results.addressToWrite(resultsKey(owner, jobId), options);
}
