import { createHash } from 'node:crypto';
import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { resourcesOf } from '#lib/catalog/resources.ts';
import type { ObjectStore } from '#lib/files/storage/object-store.ts';
import type { Job } from '#lib/jobs/job.ts';
import { makeJobId } from '#lib/jobs/job-id.ts';
import { type JobRequest, keepRequest } from '#lib/jobs/job-request.ts';
import { createJob } from '#lib/jobs/job-store.ts';
import type { JobLife } from '#lib/jobs/life/job-life.ts';
import { beginJobLife } from '#lib/jobs/life/job-life-store.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { batchKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { arraySizeOf, type Batch, type BatchOrder, countPending } from './batch.ts';
import { findBatch, findOrder } from './batch-store.ts';
import { compileTexts } from './batch-submission.ts';
import { type BatchRows, valuesAt, writeEnvironment } from './fill-template.ts';
import { readStoredRows } from './stored-rows.ts';

export interface UnfoldContext {
  readonly table: Table;
  readonly catalog: Catalog;
  readonly inputs: Pick<ObjectStore, 'read'>;
  readonly now: () => Date;
}

/** How often the clock attends to a batch. While a process creates its jobs, no other begins. */
export const attendSeconds = 60;

/** Three items for each job, and the batch: the most that one transaction takes. */
const jobsPerGroup = 33;

/**
 * Creates the jobs of a batch, group by group, until all exist, the time is up, or the batch is
 * cancelled. Each group is one transaction with the batch's place, so jobs are never created twice
 * and the account agrees after each group. Returns the batch as it is then.
 */
export async function unfoldBatch(
  { table, catalog, inputs, now }: UnfoldContext,
  batch: Batch,
  isOver: () => boolean,
): Promise<Batch> {
  if (countPending(batch) === 0) return batch;
  const system = findSystem(catalog, batch.project.hpc);
  const order = await findOrder(table, batch);
  const rows = await readStoredRows(inputs, batch, order);
  const create = prepareJobs(system, batch, order, rows);
  let current = batch;
  while (countPending(current) > 0 && !isOver()) {
    const from = current.unfolded;
    const to = Math.min(from + jobsPerGroup, current.count);
    const places = Array.from({ length: to - from }, (_, at) => from + at);
    const free = places.filter((place) => isFree(system, current, place)).length;
    await writeTransaction(table, [
      movePlace(current, { unfolded: to, free, dueAt: addSeconds(now(), attendSeconds) }),
      ...places.flatMap((place) => create(place)),
    ]);
    current = { ...current, unfolded: to };
  }
  // Jobs may have ended since.
  return findBatch(table, batch.owner, batch.id);
}

/**
 * Tells whether the job at a place may be handed over at once. Others wait for their turn: until
 * jobs before them end, or until their whole array exists.
 */
function isFree(system: HpcSystem, batch: Batch, place: number): boolean {
  const { maxRunning } = batch;
  if (arraySizeOf(system, batch) !== undefined) return false;
  return maxRunning === undefined || place < maxRunning;
}

interface Place {
  readonly unfolded: number;
  readonly free: number;
  readonly dueAt: Date;
}

/** Refuses if another process was faster, or the batch was cancelled. */
function movePlace({ owner, id, unfolded }: Batch, { unfolded: to, free, dueAt }: Place): Step {
  return {
    Update: changeOf(batchKey(owner, id), {
      set: { unfolded: to, due_at: dueAt.toISOString() },
      add: { next_release: free, released: free },
      expect: { unfolded, cancel_pending: undefined },
    }),
    refuse: () => new StaleReadError(),
  };
}

/** Returns a function that writes all items of the job at a place. */
function prepareJobs(
  system: HpcSystem,
  batch: Batch,
  order: BatchOrder,
  rows: BatchRows,
): (place: number) => Step[] {
  const fill = compileTexts({ ...order, title: batch.title }, rows.columns);
  const arraySize = arraySizeOf(system, batch);
  const waits = batch.serviceFetches && { serviceFetches: true, waitsUntil: batch.submittedAt };
  return (place) => {
    const values = valuesAt(rows, place);
    const { title, ...texts } = fill(values);
    const { owner, project, runtime, submittedAt } = batch;
    const job: Job = {
      id: batch.firstId + place,
      jobId: makeJobId(system, texts.program, digestPlace(batch, place)),
      owner,
      project,
      title: title.trim(),
      runtime,
      stage: system.stages.first,
      terminal: false,
      failed: false,
      submittedAt,
      endedAt: null,
      hold: { seconds: batch.jobSeconds, kilobytes: 0 },
      ...(batch.jobCost !== undefined && { cost: batch.jobCost }),
      ...(batch.drawn && { drawn: batch.drawn }),
      batch: { id: batch.id, index: values.index },
    };
    const { input, login } = order;
    const resources = resourcesOf(order);
    const environment = writeEnvironment(values);
    const request: JobRequest = { ...texts, ...resources, environment, input };
    const array = arraySize === undefined ? undefined : placeInArray(batch, place, arraySize);
    const parked = !isFree(system, batch, place);
    return [
      createJob(job),
      beginJobLife(job, {
        login,
        parked,
        doubted: batch.doubted,
        ...(array && { array }),
        ...waits,
      }),
      keepRequest(job, request),
    ];
  };
}

/** The same place of the same batch always has the same job id. */
function digestPlace({ id }: Batch, place: number): Buffer {
  return createHash('sha256').update(`${id} ${place}`).digest().subarray(0, 16);
}

/** Jobs with the same array name are handed over together. */
function placeInArray(
  { id, maxRunning }: Batch,
  place: number,
  arraySize: number,
): NonNullable<JobLife['array']> {
  const number = Math.floor(place / arraySize);
  return {
    name: `${id}-${number}`,
    task: place % arraySize,
    ...(maxRunning !== undefined && { atOnce: maxRunning }),
  };
}
