import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { serviceFetches } from '#lib/catalog/service-fetches.ts';
import { batchRowsKey } from '#lib/files/object-keys.ts';
import { paymentOf } from '#lib/jobs/job.ts';
import { acceptOnce, type SubmissionContext } from '#lib/jobs/submit/accept-once.ts';
import type { KeyedRequest } from '#lib/jobs/submit/idempotency.ts';
import type { Allotment } from '#lib/jobs/submit/submission.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import {
  type Batch,
  type BatchOrder,
  batchFromItem,
  newBatchToItem,
  orderToItem,
  storedBatch,
} from './batch.ts';
import type { BatchSubmission } from './batch-submission.ts';
import { BatchInputGoneError } from './errors.ts';

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
  context: SubmissionContext,
  submission: Pick<BatchSubmission, 'project' | 'joins'>,
  { batch, order, rows, keyed, steps: inputSteps, at }: NewBatch,
  takeBack: () => Promise<void>,
): Promise<BatchAcceptance> {
  const { inputs } = context;
  const { id, owner, count, jobCost } = batch;
  const rowsKey = batchRowsKey(owner, id);
  if (rows !== undefined) await inputs.put(rowsKey, rows);
  const earlier = await acceptOnce(context, {
    submission,
    payment: paymentOf(batch),
    hold: batch.held,
    jobs: count,
    cost: jobCost === undefined ? undefined : jobCost * count,
    keyed,
    answer: storedBatch.format(batch),
    line: { reason: `batch of ${count} ${count === 1 ? 'job' : 'jobs'} submitted`, batchId: id },
    inputSteps,
    steps: () => [putOnce(newBatchToItem(batch)), putOnce(orderToItem(batch, order))],
    async takeBack() {
      await takeBack();
      // If this fails, the object expires later.
      if (rows !== undefined) await inputs.remove(rowsKey).catch(() => undefined);
    },
    refusals: [BatchInputGoneError],
    at,
  });
  return earlier === undefined
    ? { batch, repeated: false }
    : { batch: batchFromItem(earlier), repeated: true };
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
  const { owner, system, project, title, maxRunning, fetches } = submission;
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
    serviceFetches: fetches !== undefined && serviceFetches(system),
    doubted: false,
    inputLeft: false,
    limited: maxRunning !== undefined || traitsOf(system).arraySize !== undefined,
  };
}
