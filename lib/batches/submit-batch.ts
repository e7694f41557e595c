import type { Catalog } from '#lib/catalog/catalog.ts';
import { grantRuntime } from '#lib/catalog/grant-runtime.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { IdempotencyKeyReusedError } from '#lib/errors/domain-error.ts';
import { UploadUsedError } from '#lib/files/errors.ts';
import { batchInputKey, batchRowsKey, uploadedKey } from '#lib/files/object-keys.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import { IdempotencyKeyInUseError, SubmissionUncertainError } from '#lib/jobs/errors.ts';
import {
  AlreadySubmittedError,
  claimIdempotencyKey,
  findAnswer,
} from '#lib/jobs/submit/idempotency.ts';
import { measureInput, placeInput } from '#lib/jobs/submit/place-input.ts';
import { holdFor } from '#lib/jobs/submit/submission.ts';
import { HoldRefusedError, NoQuotaError } from '#lib/quotas/errors.ts';
import { holdQuota, judgeHold, kilobytesOf } from '#lib/quotas/holds.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import type { Amount, Hold } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { estimateQuota, welcomeUser } from '#lib/quotas/welcome.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { PartitionFullError, TableUnavailableError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { AccountMissingError } from '#lib/users/logins/errors.ts';
import { requireLogin } from '#lib/users/logins/login-store.ts';
import {
  accountOf,
  type Batch,
  type BatchOrder,
  batchFromItem,
  makeBatchId,
  newBatchToItem,
  orderToItem,
  storedBatch,
} from './batch.ts';
import {
  type BatchSubmission,
  checkRows,
  fingerprintBatch,
  judgeLast,
  previewTexts,
} from './batch-submission.ts';
import { BadTableError, BatchInputGoneError } from './errors.ts';
import type { BatchRows } from './fill-template.ts';
import { readTable } from './read-table.ts';

export interface BatchContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly inputs: ObjectStore;
}

export interface BatchAcceptance {
  readonly batch: Batch;
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  readonly repeated: boolean;
}

/**
 * Accepts a batch. The batch, the hold for all its jobs, one ledger line and the idempotency key are
 * one transaction, so it costs the same for any number of jobs, and no hold exists without its
 * batch. Everything is checked before anything is stored. The table's stream triggers the creation
 * of the jobs.
 */
export async function submitBatch(
  context: BatchContext,
  submission: BatchSubmission,
  key?: string,
  at = new Date(),
): Promise<BatchAcceptance> {
  const { table } = context;
  const { owner, system } = submission;
  const fingerprint = fingerprintBatch(submission);
  const keyed = key === undefined ? undefined : { owner, key, fingerprint, at };
  try {
    const login = await requireLogin(table, owner, system);
    const rows = await readRows(context, submission, at);
    return await placeAndAccept(context, submission, { rows, login, keyed, at });
  } catch (error) {
    const mayBeRepeated = error instanceof AccountMissingError || error instanceof UploadUsedError;
    const answer = keyed && mayBeRepeated ? await findAnswer(table, keyed) : undefined;
    if (answer === undefined) throw error;
    return { batch: batchFromItem(answer), repeated: true };
  }
}

interface CheckedRows extends BatchRows {
  readonly count: number;
}

/** Reads and checks the values of all jobs. Stores nothing. */
async function readRows(
  { table, inputs }: BatchContext,
  submission: BatchSubmission,
  at: Date,
): Promise<CheckedRows> {
  const { shape, owner, input } = submission;
  if ('count' in shape) {
    const problems = judgeLast(submission, shape.count);
    if (problems.length > 0) {
      throw new BadTableError(
        'count',
        problems.map((message) => ({ message })),
      );
    }
    return { columns: [], rows: [], count: shape.count };
  }
  const { source } = input;
  const bytes = await measureInput(table, inputs, submission, at);
  const store =
    source.kind === 'inline'
      ? {
          read: async (_: string, { first, last }: Range) =>
            source.content.subarray(first, last + 1),
        }
      : inputs;
  if (source.kind === 'none') {
    const message = `The request has no zip, so there is no file '${shape.table}'.`;
    throw new BadTableError(shape.table, [{ message }]);
  }
  const key = source.kind === 'upload' ? uploadedKey(owner, source.uploadId) : '';
  const rows = await readTable({ store, key, bytes }, shape.table);
  checkRows(submission, shape.table, rows);
  return { columns: rows.columns, rows: rows.rows, count: rows.rows.length };
}

interface Range {
  readonly first: number;
  readonly last: number;
}

interface Terms {
  readonly rows: CheckedRows;
  readonly login: string | undefined;
  readonly keyed: Parameters<typeof claimIdempotencyKey>[0] | undefined;
  readonly at: Date;
}

async function placeAndAccept(
  context: BatchContext,
  submission: BatchSubmission,
  { rows, login, keyed, at }: Terms,
): Promise<BatchAcceptance> {
  const { table, inputs } = context;
  const { owner } = submission;
  const id = makeBatchId(at);
  const input = await placeInput(table, inputs, submission, {
    usedBy: id,
    key: batchInputKey(owner, id),
    repeatable: keyed !== undefined,
    at,
  });
  const { program, nodes, coresPerNode, extras } = submission;
  const order: BatchOrder = {
    program,
    nodes,
    coresPerNode,
    extras,
    ...(login !== undefined && { login }),
    input: { fileName: submission.input.fileName, ...input.zip },
    hasRows: rows.columns.length > 0,
  };
  const hold = holdForAll(submission, rows.count, input.zip.bytes);
  const batch = {
    ...(await numberBatch(table, submission, { count: rows.count, hold, at })),
    id,
    inputUsers: input.zip.key === undefined ? 0 : 1,
  };
  const accepted = { batch, order, rows, keyed, steps: input.steps, at };
  return acceptBatch(context, submission, accepted, () => input.takeBack());
}

/** The hold of a batch: that of one job for each job, and the zip, which they share, once. */
function holdForAll(submission: BatchSubmission, count: number, inputBytes: number): Hold {
  const { seconds } = holdFor(submission, 0);
  return { seconds: seconds * count, kilobytes: kilobytesOf(inputBytes) };
}

interface Size {
  readonly count: number;
  readonly hold: Hold;
  readonly at: Date;
}

/** Reserves the numbers of all jobs, so that the jobs of a batch are a range of numbers. */
export async function numberBatch(
  table: Table,
  submission: Omit<BatchSubmission, 'input' | 'shape'>,
  { count, hold, at }: Size,
): Promise<Omit<Batch, 'id' | 'inputUsers'>> {
  const { owner, system, project, title, maxRunning } = submission;
  return {
    owner,
    project,
    title,
    runtime: grantRuntime(system, submission.requestedRuntime),
    count,
    firstId: await takeNumbers(table, 'job', count),
    jobSeconds: hold.seconds / count,
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
    inputLeft: false,
    limited: maxRunning !== undefined || traitsOf(system).arraySize !== undefined,
  };
}

export interface NewBatch {
  readonly batch: Batch;
  readonly order: BatchOrder;
  readonly rows: BatchRows;
  readonly keyed: Terms['keyed'];
  /** Further steps of the transaction. */
  readonly steps: readonly Step[];
  readonly at: Date;
}

/** Writes a batch with everything that belongs to it, or nothing. */
export async function acceptBatch(
  { table, catalog, inputs }: BatchContext,
  { project, owner }: Pick<BatchSubmission, 'project' | 'owner'>,
  accepted: NewBatch,
  takeBack: () => Promise<void>,
): Promise<BatchAcceptance> {
  const { batch, order, rows, keyed, at } = accepted;
  const rowsKey = batchRowsKey(owner, batch.id);
  if (order.hasRows) {
    const { columns, rows: values, indexes } = rows;
    await inputs.put(rowsKey, Buffer.from(JSON.stringify({ columns, rows: values, indexes })));
  }
  const { maxLivingJobs, closed } = project;
  const account = accountOf(batch);
  const rules = { maxLivingJobs, jobs: batch.count, closed, now: at };
  const steps = [
    ...(keyed ? [claimIdempotencyKey(keyed, storedBatch.format(batch))] : []),
    ...accepted.steps,
    holdQuota(account, batch.held, rules),
    putOnce(newBatchToItem(batch)),
    putOnce(orderToItem(batch, order)),
    writeLedgerLine({
      ...account,
      kind: 'hold',
      seconds: -batch.held.seconds,
      kilobytes: -batch.held.kilobytes,
      at,
      by: owner,
      reason: `batch of ${batch.count} jobs submitted`,
      batchId: batch.id,
    }),
  ];
  try {
    await writeTransaction(table, steps).catch(async (error) => {
      if (!(error instanceof NoQuotaError)) throw error;
      // The user may be new, or another call may have welcomed them a moment ago.
      await welcomeUser(table, catalog, owner, at);
      if (!(await readQuota(table, account))) throw error;
      await writeTransaction(table, steps);
    });
    return { batch, repeated: false };
  } catch (error) {
    if (refusals.some((refusal) => error instanceof refusal)) {
      await takeBack();
      // If this fails, the object expires later.
      if (order.hasRows) await inputs.remove(rowsKey).catch(() => undefined);
    }
    if (error instanceof AlreadySubmittedError) {
      return { batch: batchFromItem(error.answer), repeated: true };
    }
    if (error instanceof TableUnavailableError) {
      throw new SubmissionUncertainError(keyed !== undefined, { cause: error });
    }
    throw error;
  }
}

/**
 * Errors which prove that nothing was written. After any other error the batch may exist with its
 * answer lost, and then its files must stay.
 */
const refusals = [
  AlreadySubmittedError,
  IdempotencyKeyInUseError,
  IdempotencyKeyReusedError,
  HoldRefusedError,
  PartitionFullError,
  UploadUsedError,
  BatchInputGoneError,
];

function putOnce(Item: Readonly<Record<string, unknown>>): Step {
  return {
    Put: { Item, ...ifMissing },
    refuse: () => new Error('A batch with this identifier already exists.'),
  };
}

export interface BatchEstimate {
  readonly login: string | undefined;
  readonly count: number;
  /** Hours, of each job. */
  readonly runtime: number;
  readonly hold: Hold;
  readonly left: Amount;
  /** Including those of this batch. */
  readonly activeJobs: number;
  readonly maxLivingJobs: number;
  readonly preview: ReturnType<typeof previewTexts>;
}

/** Judges a batch by the same checks and rules as submitBatch. Writes nothing. */
export async function estimateBatch(
  context: BatchContext,
  submission: BatchSubmission,
  now = new Date(),
): Promise<BatchEstimate> {
  const { table, inputs } = context;
  const { owner, system, project, requestedRuntime } = submission;
  const login = await requireLogin(table, owner, system);
  const rows = await readRows(context, submission, now);
  const bytes = await measureInput(table, inputs, submission, now);
  const hold = holdForAll(submission, rows.count, bytes);
  const account = accountOf(submission);
  const quota = await estimateQuota(table, system, account);
  const { maxLivingJobs, closed } = project;
  const rules = { maxLivingJobs, jobs: rows.count, closed, now };
  const refusal = judgeHold(account, quota, hold, rules);
  if (refusal || !quota) throw refusal ?? new NoQuotaError(account);
  return {
    login,
    count: rows.count,
    runtime: grantRuntime(system, requestedRuntime),
    hold,
    left: {
      seconds: quota.time.left - hold.seconds,
      kilobytes: quota.space.left - hold.kilobytes,
    },
    activeJobs: quota.activeJobs + rows.count,
    maxLivingJobs,
    preview: previewTexts(submission, rows, rows.count),
  };
}
