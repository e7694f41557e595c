import type { Catalog } from '#lib/catalog/catalog.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { batchRowsKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { acceptOnce } from '#lib/jobs/submit/accept-once.ts';
import { claimIdempotencyKey, type KeyedRequest } from '#lib/jobs/submit/idempotency.ts';
import type { Allotment } from '#lib/jobs/submit/submission.ts';
import { holdSteps, lineOf } from '#lib/quotas/draws.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { holdSpending } from '#lib/spending/spending-store.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import {
  accountOf,
  type Batch,
  type BatchOrder,
  batchFromItem,
  newBatchToItem,
  orderToItem,
  paymentOf,
  storedBatch,
} from './batch.ts';
import type { BatchSubmission } from './batch-submission.ts';
import { BatchInputGoneError } from './errors.ts';

export interface BatchContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly inputs: ObjectStore;
  /** US dollars a month for jobs on systems with a price. */
  readonly budget?: number | undefined;
}

export interface BatchAcceptance {
  readonly batch: Batch;
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  readonly repeated: boolean;
}

export interface NewBatch {
  readonly batch: Batch;
  readonly order: BatchOrder;
  /** The values of its jobs as a table, unless its zip has them or they differ only in their index. */
  readonly rows: Uint8Array | undefined;
  readonly keyed: KeyedRequest | undefined;
  /** Further steps of the transaction. */
  readonly steps: readonly Step[];
  readonly at: Date;
}

/** Writes a batch with everything that belongs to it, or nothing. */
export async function acceptBatch(
  context: BatchContext,
  submission: Pick<BatchSubmission, 'project' | 'joins'>,
  accepted: NewBatch,
  takeBack: () => Promise<void>,
): Promise<BatchAcceptance> {
  const { table, inputs, budget } = context;
  const { batch, rows, keyed, at } = accepted;
  const rowsKey = batchRowsKey(batch.owner, batch.id);
  if (rows !== undefined) await inputs.put(rowsKey, rows);
  const steps = acceptanceSteps(accepted, submission);
  const cost = batch.jobCost === undefined ? undefined : batch.jobCost * batch.count;
  const earlier = await acceptOnce(context, {
    account: accountOf(batch),
    joining: submission.joins ? submission.project : undefined,
    write: () =>
      decideUntilWritten(async () => {
        const spending = await holdSpending(table, { cost, budget, at });
        await writeTransaction(table, [...steps, ...spending]);
      }),
    async takeBack() {
      await takeBack();
      // If this fails, the object expires later.
      if (rows !== undefined) await inputs.remove(rowsKey).catch(() => undefined);
    },
    refusals: [BatchInputGoneError],
    hasKey: keyed !== undefined,
    at,
  });
  return earlier === undefined
    ? { batch, repeated: false }
    : { batch: batchFromItem(earlier), repeated: true };
}

/**
 * Puts the key first, so that a repeated request gets its answer even if the quota is used up by
 * now.
 */
function acceptanceSteps(
  { batch, order, keyed, steps, at }: NewBatch,
  { project: { maxLivingJobs, closed }, joins }: Pick<BatchSubmission, 'project' | 'joins'>,
): Step[] {
  const payment = paymentOf(batch);
  const { count, held, owner } = batch;
  return [
    ...(keyed ? [claimIdempotencyKey(keyed, storedBatch.format(batch))] : []),
    ...steps,
    ...holdSteps(payment, held, { maxLivingJobs, jobs: count, closed, joins, now: at }),
    putOnce(newBatchToItem(batch)),
    putOnce(orderToItem(batch, order)),
    writeLedgerLine({
      ...lineOf(payment),
      kind: 'hold',
      seconds: -held.seconds,
      kilobytes: -held.kilobytes,
      at,
      by: owner,
      reason: `batch of ${count} jobs submitted`,
      batchId: batch.id,
    }),
  ];
}

function putOnce(Item: Readonly<Record<string, unknown>>): Step {
  return {
    Put: { Item, ...ifMissing },
    refuse: () => new Error('A batch with this identifier already exists.'),
  };
}

interface Size {
  readonly count: number;
  readonly allotment: Allotment;
  readonly at: Date;
}

/** Reserves the numbers of all jobs, so that the jobs of a batch are a range of numbers. */
export async function numberBatch(
  table: Table,
  submission: Omit<BatchSubmission, 'input' | 'shape'>,
  { count, allotment, at }: Size,
): Promise<Omit<Batch, 'id' | 'inputUsers'>> {
  const { owner, system, project, title, maxRunning } = submission;
  const { runtime, hold, jobSeconds, jobCost } = allotment;
  return {
    owner,
    project,
    title,
    runtime,
    count,
    firstId: await takeNumbers(table, 'job', count),
    jobSeconds,
    ...(jobCost !== undefined && { jobCost }),
    ...(project.shared && { drawn: true as const }),
    ...(maxRunning !== undefined && { maxRunning }),
    submittedAt: new Date(Math.floor(at.getTime() / 1000) * 1000),
    unfolded: 0,
    dropped: 0,
    nextRelease: 0,
    released: 0,
    endedParked: 0,
    counts: { running: 0, done: 0, failed: 0, cancelled: 0 },
    held: hold,
    usedSeconds: 0,
    cancelPending: false,
    doubted: false,
    inputLeft: false,
    limited: maxRunning !== undefined || traitsOf(system).arraySize !== undefined,
  };
}
