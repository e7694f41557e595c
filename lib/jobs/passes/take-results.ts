import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import { maxResultsBytes } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { ResultsTooLargeError } from '../errors.ts';
import { saveCommandTimes } from '../life/job-life-store.ts';
import { findSendingJob } from './find-active-job.ts';
import { signedSeconds } from './passes.ts';

export interface ResultsContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly results: ObjectStore;
}

/** The announcement that a job makes before it sends its results. */
export interface AnnouncedResults {
  readonly bytes: number;
  /** Seconds from the start of the job until its command ran. */
  readonly before: number;
  /** Seconds from the end of the command until now. */
  readonly after: number;
  readonly at: Date;
}

/** Shorter waits are not worth a write. */
const noticeableSeconds = 5;

/**
 * Returns a URL to which a job may send its results, once and with exactly the announced size. If
 * the job had to wait for this service, the times it reports are kept for its settlement.
 */
export async function takeResults(
  { table, catalog, results }: ResultsContext,
  account: AccountKey,
  jobId: JobId,
  { bytes, before, after, at }: AnnouncedResults,
): Promise<string> {
  const job = await findSendingJob(table, account, jobId, at);
  const { owner } = job;
  if (Math.max(before, after) >= noticeableSeconds) {
    const endedAt = addSeconds(at, -after);
    await saveCommandTimes(table, job, { secondsBefore: before, endedAt });
  }
  const limit = maxResultsBytes(findSystem(catalog, account.hpc));
  if (bytes > limit) throw new ResultsTooLargeError(bytes, limit);
  const options = { expiresInSeconds: signedSeconds, bytes, once: true };
  return results.addressToWrite(resultsKey(owner, jobId), options);
}
