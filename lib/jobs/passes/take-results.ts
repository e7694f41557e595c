import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import { maxResultsBytes } from '#lib/catalog/hpc-system.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { resultsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { ResultsTooLargeError } from '../errors.ts';
import { noteSent, saveCommandTimes } from '../life/job-life-store.ts';
import { findSendingJob } from './find-active-job.ts';
import { signedSeconds } from './passes.ts';

export interface ResultsContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly results: ObjectStore;
}

/** The announcement that a run makes before it sends its results. */
export interface AnnouncedResults {
  /** From 1. */
  readonly run: number;
  /** True if the run did not end well, so that it may have been ended or started again. */
  readonly isCut: boolean;
  readonly bytes: number;
  /** Seconds from the start of the run until its command ran. */
  readonly before: number;
  /** Seconds from the end of the command until now. */
  readonly after: number;
  readonly at: Date;
}

/** Shorter waits are not worth a write. */
const noticeableSeconds = 5;

/**
 * Returns a URL to which a run may send its results, once and with exactly the announced size. Each
 * run has its own, so that a run that was ended cannot stand in the way of the next one. If the run
 * had to wait for this service, the times it reports are kept for the settlement.
 */
export async function takeResults(
  { table, catalog, results }: ResultsContext,
  account: AccountKey,
  jobId: JobId,
  { run, isCut, bytes, before, after, at }: AnnouncedResults,
): Promise<string> {
  const job = await findSendingJob(table, account, jobId, at);
  const { owner } = job;
  if (Math.max(before, after) >= noticeableSeconds) {
    const endedAt = addSeconds(at, -after);
    await saveCommandTimes(table, job, { secondsBefore: before, endedAt, run });
  }
  const limit = maxResultsBytes(findSystem(catalog, account.hpc));
  if (bytes > limit) throw new ResultsTooLargeError(bytes, limit);
  if (run > 1 || isCut) await noteSent(table, job, { run, bytes });
  const options = { expiresInSeconds: signedSeconds, bytes, once: true };
  return results.addressToWrite(resultsKey({ owner, jobId, run }), options);
}
