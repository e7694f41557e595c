import { handOversAtOnce } from '#lib/catalog/hpc-system.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import type { DueKey } from '#lib/table/due-index.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import { accountOf } from '../../job.ts';
import { checkJobs } from '../checks/check-jobs.ts';
import { type NoteFailure, readLives } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { handOverArray } from './hand-over-array.ts';
import { handOverJob } from './hand-over-job.ts';
import { holdBack, mustHold } from './hold-back.ts';

/** Jobs that are read together. */
const batchSize = 100;

const parallelWrites = 25;

/**
 * Hands jobs over, several in parallel or as arrays, and tells the system of cancels. Returns how
 * many it handled. Each job is claimed right before its turn, so a sweep that runs out of time holds no
 * unused leases.
 */
export async function handOverJobs(
  sweep: Sweep,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<number> {
  let seenTo = 0;
  const arrays = new Set<string>();
  for (const batch of splitIntoBatches(due, batchSize)) {
    if (sweep.isOver()) break;
    seenTo += await handOverBatch(sweep, batch, arrays, noteFailure);
  }
  return seenTo;
}

async function handOverBatch(
  sweep: Sweep,
  batch: readonly DueKey[],
  /** Names of the arrays that were seen to. */
  arrays: Set<string>,
  noteFailure: NoteFailure,
): Promise<number> {
  const due = keepCurrent(await readLives(sweep.table, batch, noteFailure), batch);
  const { held = [], open: current = [] } = Object.groupBy(due, (each) =>
    mustHold(sweep, each) ? 'held' : 'open',
  );
  await mapInParallel(held, parallelWrites, (each) => holdBack(sweep, each).catch(noteFailure));
  const hasArrays = sweep.connector.submitArray !== undefined;
  const {
    fresh = [],
    'cut off': cutOff = [],
    array = [],
    other = [],
  } = Object.groupBy(current, ({ life }) => sortOut(life, hasArrays));
  let seenTo = held.length;
  for (const member of array) {
    const { name = '' } = member.life.array ?? {};
    if (arrays.has(name) || sweep.isOver()) continue;
    arrays.add(name);
    seenTo += await handOverArray(sweep, member, noteFailure);
  }
  const handOver = async (waiting: ActiveJob): Promise<void> => {
    if (sweep.isOver()) return;
    try {
      await handOverJob(sweep, waiting);
      seenTo += 1;
    } catch (error) {
      noteFailure(error);
    }
  };
  await mapInParallel(fresh, handOversAtOnce(sweep.system), handOver);
  // A cut-off job may have crashed the process that handed it over, so each is retried alone.
  for (const waiting of cutOff) await handOver(waiting);
  const keys = other.map(({ key }) => key);
  return seenTo + (await checkJobs(sweep, keys, noteFailure));
}

interface DueJob extends ActiveJob {
  readonly key: DueKey;
}

/**
 * Keeps jobs whose due time is still the one that was listed. The index lags behind, and other
 * sweeps claim jobs too.
 */
function keepCurrent(lives: readonly ActiveJob[], due: readonly DueKey[]): DueJob[] {
  const keys = new Map(due.map((key) => [nameOf(key), key]));
  return lives.flatMap((one) => {
    const key = keys.get(nameOf(jobLifeKey(accountOf(one.job), one.job.jobId)));
    return key && one.life.dueAt?.toISOString() === key.dueAt ? [{ ...one, key }] : [];
  });
}

/** Calls a job `other` if it was cancelled, is to be removed, or was handed over in the meantime. */
function sortOut(
  { cancelPending, removePending, handle, tryingSince, array }: ActiveJob['life'],
  hasArrays: boolean,
) {
  if (cancelPending || removePending || handle !== undefined) return 'other';
  if (array && hasArrays) return 'array';
  return tryingSince === undefined ? 'fresh' : 'cut off';
}

function nameOf({ PK, SK }: Pick<DueKey, 'PK' | 'SK'>): string {
  return `${PK} ${SK}`;
}
