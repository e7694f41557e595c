import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { isParked, lifeFromItem } from '#lib/jobs/life/job-life.ts';
import { readJobsAt } from '#lib/jobs/read-batch-jobs.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { batchKey, dueKeys, handOversOf, jobLifeKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { arraySizeOf, type Batch, countInFlight } from './batch.ts';

/** Lives and the batch: the most that one transaction takes. */
const livesPerGroup = 99;

/**
 * Makes the next jobs of a batch due, as many as may have their turn now. The table's stream tells
 * of them. Throws a StaleReadError if another process was faster.
 */
export async function releaseJobs(
  table: Table,
  catalog: Catalog,
  batch: Batch,
  now: Date,
): Promise<void> {
  const arraySize = arraySizeOf(findSystem(catalog, batch.project.hpc), batch);
  let { nextRelease: from } = batch;
  const most = batch.maxRunning ?? batch.count;
  let room = arraySize === undefined ? most - countInFlight(batch) : Number.POSITIVE_INFINITY;
  const end = arraySize === undefined ? batch.unfolded : endOfArrays(batch, arraySize);
  while (room > 0 && from < end) {
    const to = Math.min(end, from + Math.min(livesPerGroup, room));
    room -= await releaseRange(table, batch, { from, to }, now);
    from = to;
  }
}

/**
 * Returns the end of the arrays that may be handed over. An array must exist as a whole. A limited
 * batch has one array at a time, because each array keeps to the limit on its own.
 */
function endOfArrays(batch: Batch, arraySize: number): number {
  const { count, unfolded, maxRunning, nextRelease } = batch;
  const whole = unfolded === count ? count : unfolded - (unfolded % arraySize);
  if (maxRunning === undefined) return whole;
  const first = nextRelease - (nextRelease % arraySize);
  const isBetween = nextRelease === first && countInFlight(batch) > 0;
  return isBetween ? nextRelease : Math.min(whole, first + arraySize);
}

interface Places {
  readonly from: number;
  readonly to: number;
}

/**
 * Releases the jobs at these places in one transaction. Jobs that have ended are skipped. Returns how
 * many were released.
 */
async function releaseRange(
  table: Table,
  batch: Batch,
  { from, to }: Places,
  now: Date,
): Promise<number> {
  const account = accountOf(batch);
  const jobs = (await readJobsAt(table, batch, from, to)).filter(({ terminal }) => !terminal);
  const lives = await readItems(
    table,
    jobs.map(({ jobId }) => jobLifeKey(account, jobId)),
  );
  const parked = new Set(
    lives
      .map(lifeFromItem)
      .filter(isParked)
      .map(({ jobId }) => jobId),
  );
  const due = jobs
    .filter(({ jobId }) => parked.has(jobId))
    .map(({ id, jobId }) => ({
      key: jobLifeKey(account, jobId),
      keys: dueKeys(batch.serviceFetches ? 'WAITING' : handOversOf(account.hpc), now, id),
    }));
  await writeTransaction(table, [
    moveRelease(batch, { from, to }, due.length),
    ...due.map(
      ({ key, keys }): Step => ({
        Update: changeOf(key, {
          set: { ...keys, released: true, ...(batch.doubted && { attempts: 1 }) },
          expect: { due: undefined, handle: undefined, cancel_pending: undefined },
        }),
        refuse: () => new StaleReadError(),
      }),
    ),
  ]);
  return due.length;
}

function moveRelease({ owner, id }: Batch, { from, to }: Places, released: number): Step {
  return {
    Update: changeOf(batchKey(owner, id), {
      set: { next_release: to },
      add: { released },
      expect: { next_release: from, cancel_pending: undefined },
    }),
    refuse: () => new StaleReadError(),
  };
}
