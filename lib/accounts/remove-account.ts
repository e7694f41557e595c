import { findBatch, listHoldingBatches } from '#lib/batches/batch-store.ts';
import { discardBatch, returnBatchSpace } from '#lib/batches/cancel-batch.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { deleteAnyJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { isDiscarded, type Job } from '#lib/jobs/job.ts';
import { walkKeptJobs } from '#lib/jobs/read/read-holds.ts';
import { type JobsInTheWay, QuotaInUseError } from '#lib/quotas/errors.ts';
import type { QuotaOrder } from '#lib/quotas/grants/quota-order.ts';
import { removeQuota } from '#lib/quotas/grants/remove-quota.ts';
import { accountOf, type Quota } from '#lib/quotas/quota.ts';
import { findQuota } from '#lib/quotas/quota-store.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';

interface RemovalContext {
  readonly table: Table;
  readonly files: JobFiles;
  readonly time: TimeLeft;
}

interface RemovalOrder extends QuotaOrder {
  /** True to cancel and delete the jobs that are in the way. */
  readonly withJobs: boolean;
}

/** All of these write to the same quota, so more would only wait for each other. */
const jobsAtOnce = 4;

/**
 * Removes a quota, or says how many jobs are in the way. With its jobs, it first cancels the active
 * ones, also those that a batch has not created yet, and deletes the ended ones. New submissions
 * meanwhile are not blocked: the removal's own condition notices them, and the next round includes
 * them. If time runs out, it says how many remain, and repeating the request continues
 * (docs/decisions/0032).
 */
export async function removeAccount(
  context: RemovalContext,
  order: RemovalOrder,
  now = () => new Date(),
): Promise<Quota> {
  const { table, time } = context;
  const account = accountOf(order);
  // Without a quota no job is touched, because the path may be a typo.
  if (order.withJobs) await findQuota(table, account);
  let discarded = 0;
  for (;;) {
    const round = order.withJobs ? await discardJobs(context, order, now) : none;
    discarded += round.discarded;
    try {
      return await removeQuota(table, order, now());
    } catch (error) {
      if (!(error instanceof QuotaInUseError)) throw error;
      if (round.met > 0 && !time.isOver()) continue;
      const inTheWay = await countJobsInTheWay(table, account, time);
      const jobs = { ...inTheWay, ...(order.withJobs && { discarded }) };
      throw new QuotaInUseError('remove', account, error.account, jobs);
    }
  }
}

/** One pass over the jobs. */
interface Round {
  readonly met: number;
  readonly discarded: number;
}

const none: Round = { met: 0, discarded: 0 };

async function discardJobs(
  { table, files, time }: RemovalContext,
  order: QuotaOrder,
  now: () => Date,
): Promise<Round> {
  const account = accountOf(order);
  let met = 0;
  let discarded = 0;
  const discard = async ({ jobId }: Job) => {
    if (time.isOver()) return;
    const job = await deleteAnyJob(table, account, jobId, { ...order, settlesNow: true }, now());
    await removeFiles(table, files, job, true);
    if (isDiscarded(job)) discarded += 1;
  };
  const batches = await listHoldingBatches(table, account);
  for (const batch of batches) await discardBatch(table, batch, now());
  for await (const jobs of walkKeptJobs(table, account)) {
    met += jobs.length;
    await mapInParallel(jobs, jobsAtOnce, discard, { stopAtFailure: true });
    if (time.isOver()) break;
  }
  for (const batch of batches) {
    await returnBatchSpace(table, await findBatch(table, batch.owner, batch.id), now());
  }
  return { met: met + batches.length, discarded };
}

/**
 * Counts ended jobs that hold space of a quota. An account may have more jobs than there is time to
 * read.
 */
async function countJobsInTheWay(
  table: Table,
  account: AccountKey,
  time: TimeLeft,
): Promise<JobsInTheWay> {
  let ended = 0;
  let isLate = false;
  for await (const jobs of walkKeptJobs(table, account)) {
    ended += jobs.filter(({ terminal, hold }) => terminal && hold.kilobytes > 0).length;
    // One more page, because that is usually the last.
    if (isLate) return { ended, countedAll: false };
    isLate = time.isOver();
  }
  return { ended, countedAll: true };
}
