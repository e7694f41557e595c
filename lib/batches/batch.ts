import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { type BatchId, isBatchId } from '#lib/catalog/identifiers.ts';
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { arraySizeFor } from '#lib/catalog/kinds/system-kind.ts';
import { fetchedFiles, sentFiles, storedResources } from '#lib/jobs/stored-resources.ts';
import {
  attribute,
  defineItem,
  flag,
  group,
  map,
  moment,
  number,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { batchKey, batchOrderKey, dueKeys } from '#lib/table/keys.ts';
import { batchIdField, projectField, userField } from '#lib/table/named-fields.ts';
import { StoredBatchId } from '#lib/table/stored-names.ts';

/** The most jobs of one batch. */
export const mostJobs = 10_000;

const storedCounts = {
  running: number('running'),
  done: number('done'),
  failed: number('failed'),
  cancelled: number('cancelled'),
};

/**
 * Many jobs that were submitted as one. They hold their quota from the first moment on, and are
 * created afterwards, group by group. The end of each job changes this item, so it is kept small:
 * what the jobs are asked to run is in an item beside it.
 */
export const storedBatch = defineItem('batch', () => ({
  id: batchIdField(),
  owner: userField('owner'),
  project: projectField(),
  title: text('title'),
  /** Hours, as granted to each job. */
  runtime: number('runtime'),
  count: number('count'),
  /** The number of the first job. The others follow it without a gap. */
  firstId: number('first_id'),
  /** Seconds that each job holds. */
  jobSeconds: number('job_seconds'),
  /** The most that each job can cost, in millionths of a US dollar. Only on systems with a price. */
  jobCost: optional(number('job_cost')),
  /** Set if the jobs draw from the budget of their project instead of their owner's quota. */
  drawn: optional(attribute('drawn', v.literal(true))),
  maxRunning: optional(number('max_running')),
  submittedAt: moment('init_date'),
  /** How many jobs were created. */
  unfolded: number('unfolded'),
  /** How many jobs were given up before they were created. */
  dropped: sparse(number('dropped'), 0),
  /** The place of the next job that waits for its turn. */
  nextRelease: number('next_release'),
  /** How many jobs had their turn. */
  released: number('released'),
  /** How many jobs ended before their turn came. */
  endedParked: sparse(number('ended_parked'), 0),
  counts: group(storedCounts),
  /** What the jobs still hold, and the zip that they share. */
  held: group({ seconds: number('held_seconds'), kilobytes: number('held_kilobytes') }),
  usedSeconds: number('used_seconds'),
  lastEnd: optional(moment('last_end')),
  /** Set once the owner wants the active jobs cancelled, or the ended batch removed. */
  discard: optional(attribute('discard', v.picklist(['cancel', 'delete']))),
  /** True while the discarding has not been done. A stream filter needs a flag. */
  cancelPending: sparse(flag('cancel_pending'), false),
  /** When the clock attends to the batch next. Missing once all is done. */
  dueAt: optional(moment('due_at')),
  /** True if jobs wait for their turn, so that each end needs attention. */
  limited: sparse(flag('limited'), false),
  /** True if the service fetches files for each job, which are handed over one by one then. */
  serviceFetches: sparse(flag('service_fetches'), false),
  /**
   * True in a restored table, which is older than the systems: they may already have jobs that are
   * created or released from now on, and are asked for them first.
   */
  doubted: sparse(flag('doubted'), false),
  /** The counts that were told last, and when. */
  told: optional(map('told', { at: moment('at'), ...storedCounts })),
  /** The batch that the zip was sent with, if not this one. */
  origin: optional(attribute('origin', StoredBatchId)),
  /** How many batches use the zip that was sent with this one. */
  inputUsers: number('input_users'),
  /** True once this batch does not use its zip any more. */
  inputLeft: sparse(flag('input_left'), false),
}));

export interface Batch extends Stored<typeof storedBatch> {}

export function newBatchToItem(batch: Batch) {
  return { ...endedBatchToItem(batch), ...dueKeys('BATCHES', batch.submittedAt) };
}

/** Writes a batch that needs no attention. */
export function endedBatchToItem(batch: Batch) {
  return { ...batchKey(batch.owner, batch.id), ...storedBatch.format(batch) };
}

export const batchFromItem: (stored: unknown) => Batch = storedBatch.parse;

/** What each job of a batch is asked to run, with marks that stand for its own values. */
export const storedOrder = defineItem('batch-order', () => ({
  program: text('program'),
  ...storedResources,
  extras: attribute('extras', v.record(v.string(), v.string())),
  fetches: optional(attribute('inputs', fetchedFiles)),
  sends: optional(attribute('outputs', sentFiles)),
  login: optional(text('login')),
  input: group({
    fileName: text('input_file'),
    bytes: number('input_bytes'),
    sha256: optional(text('input_sha256')),
    /** Object key of the zip. Missing if the jobs have no input. */
    key: optional(text('input_key')),
  }),
  /** The name of the table in the zip that has the values of the jobs. */
  table: optional(text('table')),
  /** Whether the values of the jobs are in an object of their own. */
  hasRows: sparse(flag('has_rows'), false),
}));

export interface BatchOrder extends Stored<typeof storedOrder> {}

export function orderToItem({ owner, id }: Batch, order: BatchOrder) {
  return { ...batchOrderKey(owner, id), ...storedOrder.format(order) };
}

export const orderFromItem: (stored: unknown) => BatchOrder = storedOrder.parse;

/** Makes an id that sorts by time: a UUID of version 7. */
export function makeBatchId(at: Date, random = randomBytes(10)): BatchId {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  random.copy(bytes, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex').toUpperCase();
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isBatchId(id)) throw new Error(`'${id}' is not a valid batch id.`);
  return id;
}

/** Returns the first and the last number of its jobs. */
export function rangeOf({ firstId, count }: Batch) {
  return { first: firstId, last: firstId + count - 1 };
}

export function countEnded({ counts: { done, failed, cancelled } }: Batch): number {
  return done + failed + cancelled;
}

export function hasEnded(batch: Batch): boolean {
  return countEnded(batch) === batch.count;
}

/** Counts the jobs that are accepted but not created. They hold their part of the quota. */
export function countPending({ count, unfolded, dropped }: Batch): number {
  return count - unfolded - dropped;
}

/** Counts the jobs that had their turn and have not ended. */
export function countInFlight(batch: Batch): number {
  return batch.released - (countEnded(batch) - batch.endedParked);
}

/**
 * Returns how many jobs of a batch are handed over as one array, if any. Jobs for which the service
 * fetches files are ready one by one.
 */
export function arraySizeOf(
  system: Pick<HpcSystem, 'connector'>,
  { maxRunning, serviceFetches }: Batch,
): number | undefined {
  return serviceFetches ? undefined : arraySizeFor(traitsOf(system), maxRunning);
}
