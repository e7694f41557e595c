import { handOversAtOnce } from '#lib/catalog/hpc-system.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { splitIntoBatches } from '#lib/concurrency/split-into-batches.ts';
import { jobLifeKey } from '#lib/table/keys.ts';
import type { DueKey } from '#lib/table/reads/due-index.ts';
import { accountOf } from '../../job.ts';
import { checkJobs } from '../checks/check-jobs.ts';
import { type NoteFailure, readLives } from '../sweep/claim-jobs.ts';
import type { ActiveJob, Sweep } from '../sweep/sweep.ts';
import { handOverJob } from './hand-over-job.ts';

/** As many as are read together. */
const batchSize = 100;

/**
 * Hands jobs over, several side by side, and tells the system of cancels. Returns how many it saw
 * to. Each is taken up right before its turn: what a sweep has no time for, it never took.
 */
export async function handOverJobs(
  sweep: Sweep,
  due: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<number> {
  let seenTo = 0;
  for (const batch of splitIntoBatches(due, batchSize)) {
    if (sweep.isOver()) break;
    seenTo += await handOverBatch(sweep, batch, noteFailure);
  }
  return seenTo;
}

async function handOverBatch(
  sweep: Sweep,
  batch: readonly DueKey[],
  noteFailure: NoteFailure,
): Promise<number> {
  const current = keepCurrent(await readLives(sweep.table, batch, noteFailure), batch);
  const {
    fresh = [],
    'cut off': cutOff = [],
    other = [],
  } = Object.groupBy(current, ({ life }) => sortOut(life));
  let seenTo = 0;
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
  // One of them may have ended the process that handed it over: each is alone in its next try.
  for (const waiting of cutOff) await handOver(waiting);
  const keys = other.map(({ key }) => key);
  return seenTo + (await checkJobs(sweep, keys, noteFailure));
}

interface DueJob extends ActiveJob {
  readonly key: DueKey;
}

/** The index lags behind, and others take jobs up too: only what is as it was read is due. */
function keepCurrent(lives: readonly ActiveJob[], due: readonly DueKey[]): DueJob[] {
  const keys = new Map(due.map((key) => [nameOf(key), key]));
  return lives.flatMap((one) => {
    const key = keys.get(nameOf(jobLifeKey(accountOf(one.job), one.job.jobId)));
    return key && one.life.dueAt?.toISOString() === key.dueAt ? [{ ...one, key }] : [];
  });
}

/** Others were cancelled, or handed over in the meantime. */
function sortOut({ cancelPending, handle, tryingSince }: ActiveJob['life']) {
  if (cancelPending || handle !== undefined) return 'other';
  return tryingSince === undefined ? 'fresh' : 'cut off';
}

function nameOf({ PK, SK }: Pick<DueKey, 'PK' | 'SK'>): string {
  return `${PK} ${SK}`;
}
