import * as v from 'valibot';
import {
  type Batch,
  type BatchOrder,
  mostJobs,
  storedBatch,
  storedOrder,
} from '#lib/batches/batch.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import { type BatchId, isBatchId } from '#lib/catalog/identifiers.ts';
import { amount, id, type LineNames, moment, nameAsInLines, user } from './line-fields.ts';

/** An ended batch and what its jobs were asked to run. */
export interface TransferredBatch {
  readonly batch: Batch;
  readonly order: BatchOrder;
}

/** What only an active batch needs, and the use of its zip, which is not in the file. */
const batchNames: LineNames = {
  job_cost: undefined,
  first_id: 'id',
  hpc: 'project_hpc',
  last_end: 'end_date',
  held_seconds: undefined,
  held_kilobytes: undefined,
  cancel_pending: undefined,
  due_at: undefined,
  limited: undefined,
  doubted: undefined,
  told: undefined,
  origin: undefined,
  input_users: undefined,
  input_left: undefined,
};

/** The account on the system belongs to the user, not to the batch. */
const orderNames: LineNames = { login: undefined };

export const BatchRecord = v.pipe(
  v.object({
    record: v.literal('batch'),
    ...nameAsInLines(storedBatch.fields.entries, batchNames),
    id,
    batch_id: v.custom<BatchId>(
      (value) => typeof value === 'string' && isBatchId(value),
      'must be a UUID in upper case',
    ),
    owner: user,
    project: v.optional(v.unknown()),
    project_hpc: v.string(),
    project_name: v.string(),
    runtime: v.pipe(v.number(), v.minValue(0)),
    count: v.pipe(id, v.maxValue(mostJobs)),
    done: amount,
    failed: amount,
    cancelled: amount,
    init_date: moment,
    end_date: v.optional(moment),
    order: v.object(nameAsInLines(storedOrder.fields.entries, orderNames)),
  }),
  v.check(
    ({ count, done, failed, cancelled }) => done + failed + cancelled === count,
    'only batches whose jobs have all ended can be imported',
  ),
);

/** Writes a batch with the fields of a line. */
export function describeBatch({ batch, order }: TransferredBatch) {
  return {
    record: 'batch',
    ...nameAsInLines(storedBatch.fields.write(batch), batchNames),
    project_hpc: batch.project.hpc.toUpperCase(),
    order: nameAsInLines(storedOrder.fields.write(order), orderNames),
  };
}

/** Returns a batch that holds nothing and has no zip, so that its jobs cannot be run again. */
export function batchOf(
  { order, ...record }: v.InferOutput<typeof BatchRecord>,
  project: Project,
): TransferredBatch {
  const batch = storedBatch.fields.read({
    ...record,
    first_id: record.id,
    project: project.number,
    hpc: project.hpc,
    project_name: project.name,
    last_end: record.end_date,
    held_seconds: 0,
    held_kilobytes: 0,
    input_users: 0,
    input_left: true,
  });
  return { batch, order: storedOrder.fields.read(order) };
}
