import type { DueKey } from '#lib/table/due-index.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { checkJobs } from './checks/check-jobs.ts';
import { handOverJobs } from './hand-over/hand-over-jobs.ts';
import type { NoteFailure } from './sweep/claim-jobs.ts';
import { listDueChecks, listDueHandOvers, pageSize } from './sweep/due-jobs.ts';
import { onlyRun, type Run, type Sweep } from './sweep/sweep.ts';

type Work = (sweep: Sweep, due: readonly DueKey[], noteFailure: NoteFailure) => Promise<number>;

/**
 * Advances every due job of a system by one step, page by page, until none is due or the time is
 * up. One of several runs handles only its share. Checks and hand-overs run in parallel, so that a
 * hundred new jobs do not delay news of the old ones. Returns how many jobs it handled.
 */
export async function advanceJobs(sweep: Sweep, run: Run = onlyRun): Promise<number> {
  return gatherFailures(sweep, async (noteFailure) => {
    await sweep.recover?.(sweep, run, noteFailure).catch(noteFailure);
    const counts = await Promise.all([
      keepOn(sweep, () => listDueChecks(sweep, run), checkJobs, noteFailure),
      keepOn(sweep, () => listDueHandOvers(sweep, run), handOverJobs, noteFailure),
    ]);
    return counts.reduce((sum, count) => sum + count);
  });
}

/** Hands over jobs that are known to be due, once. */
export async function advanceDue(sweep: Sweep, due: readonly DueKey[]): Promise<number> {
  return gatherFailures(sweep, (noteFailure) => handOverJobs(sweep, due, noteFailure));
}

/** Stops if no job of a page could be handled, because the same page would come again and again. */
async function keepOn(
  sweep: Sweep,
  list: () => Promise<DueKey[]>,
  work: Work,
  noteFailure: NoteFailure,
): Promise<number> {
  let seenTo = 0;
  try {
    while (!sweep.isOver()) {
      const due = await list();
      const count = await work(sweep, due, noteFailure);
      seenTo += count;
      if (count === 0 || due.length < pageSize) break;
    }
  } catch (error) {
    noteFailure(error);
  }
  return seenTo;
}

/** Throws only after all work is done, so that failures reach the log and the alarms. */
async function gatherFailures(
  { system }: Sweep,
  work: (noteFailure: NoteFailure) => Promise<number>,
): Promise<number> {
  const failures: unknown[] = [];
  const count = await work((error) => failures.push(error));
  reportFailures(failures, 'Some due jobs could not be advanced', { hpc: system.name });
  return count;
}
