import type { Batch, Job } from '#client/src/index.ts';
import { useLive } from '../live/use-live.ts';

interface Folded {
  /** Single jobs, and the first job of each batch in place of all of them. */
  readonly rows: readonly Job[];
  /** How many jobs of each batch were read. */
  readonly counts: ReadonlyMap<string, number>;
}

/**
 * Folds the jobs of a batch into one row. The service lists them one by one and cannot leave them
 * out, but their numbers follow each other, so they are next to each other in every list. A separate
 * list of batches alone would leave ten thousand rows between a person and the job before them.
 */
export function foldBatches(jobs: readonly Job[]): Folded {
  const counts = new Map<string, number>();
  const rows = jobs.filter(({ batch }) => {
    if (batch === undefined) return true;
    const before = counts.get(batch) ?? 0;
    counts.set(batch, before + 1);
    return before === 0;
  });
  return { rows, counts };
}

/**
 * Jobs that may be read to fill a list of which they show nothing. Beyond that, somebody must ask:
 * several batches of ten thousand would otherwise be read whenever the list is opened.
 */
const mostFolded = 20_000;

export function mayReadUnasked(jobs: readonly Job[], rows: readonly Job[]): boolean {
  return jobs.length - rows.length < mostFolded;
}

const mostBatches = 100;

/** Loads the newest batches with one request, if any are listed. */
export function useBatchesById(listed: boolean): ReadonlyMap<string, Batch> {
  const { value } = useLive(
    `batches of the list ${listed}`,
    (service, signal) =>
      listed ? service.listBatches({ limit: mostBatches }, { signal }) : Promise.resolve([]),
    { active: (all) => all.some(({ end_date: end }) => end === null) },
  );
  return new Map(value?.map((batch) => [batch.batch_id, batch]));
}
