import { paymentOf } from '#lib/jobs/job.ts';
import { tooLate, writeIfFirst } from '#lib/jobs/life/write-if-first.ts';
import { lineOf, settleSteps } from '#lib/quotas/draws.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { returnSpending } from '#lib/spending/spending-store.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { batchKey, dueKeys } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { type Batch, countPending, hasEnded } from './batch.ts';
import { findBatch } from './batch-store.ts';

/**
 * Cancels all active jobs of a batch, or removes one whose jobs have all ended. What jobs hold that
 * do not exist yet is given back at once. The others are cancelled in the background (attendBatch).
 * With `only`, does nothing but that. A repeated request has no second effect: a batch that was
 * cancelled is removed only if `only` says so, because the same request may have been sent twice.
 */
export async function discardBatch(
  table: Table,
  found: Batch,
  now = new Date(),
  only?: 'cancel' | 'delete',
): Promise<Batch> {
  return decideUntilWritten(async () => {
    const batch = await findBatch(table, found.owner, found.id);
    const wish = hasEnded(batch) ? 'delete' : 'cancel';
    const isRepeat = batch.discard !== undefined && only === undefined;
    const isDone = isRepeat || batch.discard === wish || batch.discard === 'delete';
    if (isDone || (only !== undefined && only !== wish)) return batch;
    await writeTransaction(table, [markDiscarded(batch, wish, now), ...giveUpPending(batch, now)]);
    return findBatch(table, batch.owner, batch.id);
  });
}

function markDiscarded(batch: Batch, wish: 'cancel' | 'delete', now: Date): Step {
  const pending = countPending(batch);
  return {
    Update: changeOf(batchKey(batch.owner, batch.id), {
      set: {
        discard: wish,
        cancel_pending: true,
        ...dueKeys('BATCHES', now),
        ...(pending > 0 && { last_end: now.toISOString() }),
      },
      add:
        pending === 0
          ? {}
          : {
              dropped: pending,
              ended_parked: pending,
              cancelled: pending,
              held_seconds: -pending * batch.jobSeconds,
            },
      expect: { unfolded: batch.unfolded, discard: batch.discard },
    }),
    refuse: () => new StaleReadError(),
  };
}

/** Gives back the time and the cost of all jobs that were not created. */
function giveUpPending(batch: Batch, at: Date): Step[] {
  const jobs = countPending(batch);
  if (jobs === 0) return [];
  const payment = paymentOf(batch);
  const seconds = jobs * batch.jobSeconds;
  const { jobCost } = batch;
  return [
    ...settleSteps(payment, { used: 0, returned: seconds, kilobytes: 0, jobs }),
    ...(jobCost === undefined ? [] : [returnSpending(jobs * jobCost)]),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'refund',
      seconds,
      kilobytes: 0,
      at,
      by: batch.owner,
      reason: `batch cancelled: ${jobs} jobs never began`,
      batchId: batch.id,
    }),
  ];
}

/** Gives back the space of the zip. Does nothing if that was done before. */
export async function returnBatchSpace(table: Table, batch: Batch, at: Date): Promise<void> {
  const { kilobytes } = batch.held;
  if (kilobytes === 0) return;
  const payment = paymentOf(batch);
  await writeIfFirst(table, [
    {
      Update: changeOf(batchKey(batch.owner, batch.id), {
        set: { held_kilobytes: 0 },
        expect: { held_kilobytes: kilobytes },
      }),
      refuse: tooLate,
    },
    ...settleSteps(payment, { used: 0, returned: 0, kilobytes, jobs: 0 }),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'refund',
      seconds: 0,
      kilobytes,
      at,
      by: batch.owner,
      reason: 'input of the batch removed',
      batchId: batch.id,
    }),
  ]);
}
