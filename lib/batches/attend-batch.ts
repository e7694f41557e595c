import { ownStages } from '#lib/catalog/hpc-system.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { batchRowsKey } from '#lib/files/object-keys.ts';
import type { JobFiles } from '#lib/files/storage/object-store.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { removeFiles } from '#lib/jobs/cancel/remove-files.ts';
import { accountOf as accountOfJob, type Job } from '#lib/jobs/job.ts';
import { walkBatchJobs } from '#lib/jobs/read-batch-jobs.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { batchKey, type PrimaryKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { changeIf } from '#lib/table/writes.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { type Batch, batchFromItem, countPending, hasEnded } from './batch.ts';
import { findBatch, findOrder } from './batch-store.ts';
import { returnBatchSpace } from './cancel-batch.ts';
import { releaseJobs } from './release-jobs.ts';
import { attendSeconds, type UnfoldContext, unfoldBatch } from './unfold-batch.ts';

export interface AttendContext extends UnfoldContext {
  readonly files: JobFiles;
  readonly isOver: () => boolean;
}

/** How often the progress of a batch is told. */
const tellSeconds = 60;

/** Each write also changes the quota and the batch, so more would only wait for one another. */
const parallelWrites = 8;

/**
 * Brings a batch as far as it can get now: creates jobs, gives others their turn, cancels what is
 * to be cancelled, tells the progress. Every step can be repeated, and several processes may do so
 * at once: those that come second change nothing.
 */
export async function attendBatch(context: AttendContext, key: PrimaryKey): Promise<void> {
  const batch = await readItem(context.table, key, batchFromItem);
  if (!batch) return;
  try {
    await advance(context, batch);
  } catch (error) {
    // Another process is at it.
    if (!(error instanceof StaleReadError)) throw error;
  }
}

async function advance(context: AttendContext, found: Batch): Promise<void> {
  const { table, catalog, now, isOver } = context;
  if (found.cancelPending) return discardJobs(context, found);
  const batch = await unfoldBatch(context, found, isOver);
  await releaseJobs(table, catalog, batch, now());
  await note(context, batch);
}

/**
 * Writes when the clock attends to the batch next, and its counts if they changed since they were
 * told. Usually writes nothing, because this is called after the end of each job.
 */
async function note({ table, now }: AttendContext, batch: Batch): Promise<void> {
  const { owner, id, counts, told, dueAt } = batch;
  if (!dueAt) return;
  const at = now();
  const isOld = !told || at.getTime() - told.at.getTime() >= tellSeconds * 1000;
  const ended = hasEnded(batch);
  const tells = hasChanged(batch) && isOld && !ended;
  // Jobs that there was no time to create are created at the next tick of the clock.
  const isUnfinished = countPending(batch) > 0;
  if (!ended && !tells && !isUnfinished && dueAt > at) return;
  await changeIf(table, batchKey(owner, id), {
    set: {
      ...(ended
        ? { due: undefined, due_at: undefined }
        : { due_at: addSeconds(at, isUnfinished ? 0 : attendSeconds).toISOString() }),
      ...(tells && { told: { at: at.toISOString(), ...counts } }),
    },
    // Of several processes that do so at once, one tells.
    expect: { due_at: dueAt.toISOString(), cancel_pending: undefined },
  });
}

function hasChanged({ counts, told }: Batch): boolean {
  const before = told ?? { running: 0, done: 0, failed: 0, cancelled: 0 };
  const { running, done, failed, cancelled } = counts;
  return (
    running !== before.running ||
    done !== before.done ||
    failed !== before.failed ||
    cancelled !== before.cancelled
  );
}

/** Cancels or deletes the jobs of a batch, and then gives up its zip. */
async function discardJobs(context: AttendContext, batch: Batch): Promise<void> {
  const { table, files, now, isOver } = context;
  const only = batch.discard ?? 'cancel';
  const isDue = (job: Job) => (only === 'cancel' ? !job.terminal : job.stage !== ownStages.deleted);
  for await (const jobs of walkBatchJobs(table, batch)) {
    await mapInParallel(jobs.filter(isDue), parallelWrites, async (job) => {
      if (isOver()) return;
      const discarded = await deleteJob(table, accountOfJob(job), job.jobId, now(), only);
      await removeFiles(table, files, discarded);
    });
    if (isOver()) return;
  }
  const current = await findBatch(table, batch.owner, batch.id);
  if (!hasEnded(current)) return;
  await returnBatchSpace(table, current, now());
  await removeInput(context, current);
  await changeIf(table, batchKey(batch.owner, batch.id), {
    set: { cancel_pending: undefined, due: undefined, due_at: undefined },
    expect: { discard: current.discard },
  });
}

/** Removes the zip once no batch uses it, and the values of the jobs. */
async function removeInput({ table, files }: AttendContext, batch: Batch): Promise<void> {
  const { owner, id, origin } = batch;
  const order = await findOrder(table, batch);
  if (order.hasRows) await files.inputs.remove(batchRowsKey(owner, id));
  const { key } = order.input;
  if (key === undefined) return;
  const source = origin ?? id;
  if (!batch.inputLeft) await writeTransaction(table, leaveInput(owner, id, source));
  const { inputUsers } = await findBatch(table, owner, source);
  if (inputUsers === 0) await files.inputs.remove(key);
}

/** Marks that a batch does not use its zip any more, and counts it out where the zip was sent. */
function leaveInput(owner: Batch['owner'], id: Batch['id'], source: Batch['id']): Step[] {
  const mark = { set: { input_left: true }, expect: { input_left: undefined } };
  const changes =
    source === id
      ? [{ id, change: { ...mark, add: { input_users: -1 } } }]
      : [
          { id, change: mark },
          { id: source, change: { add: { input_users: -1 } } },
        ];
  return changes.map((each) => ({
    Update: changeOf(batchKey(owner, each.id), each.change),
    refuse: () => new StaleReadError(),
  }));
}
