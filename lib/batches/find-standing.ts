import { walkBatchJobs } from '#lib/jobs/read-batch-jobs.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Batch, countEnded, countInFlight, hasEnded } from './batch.ts';
import { findBatch, listBatches } from './batch-store.ts';

/** A batch that nothing in the service would ever go on with. */
export interface StandingBatch {
  readonly batch: Batch;
  /** How many of its jobs ended without being counted, as under code that knows no batches. */
  readonly uncounted: number;
}

const pageSize = 100;

/**
 * Finds the batches of an account that stand still. The end of a job counts in the same transaction,
 * so an end that does not count will never do so, and the jobs that wait for it have no turn.
 */
export async function findStanding(
  table: Table,
  { user: owner, ...within }: AccountKey,
): Promise<StandingBatch[]> {
  const standing: StandingBatch[] = [];
  let after: Batch['id'] | undefined;
  do {
    const page = await listBatches(table, { owner, ...within }, pageSize, after);
    for (const listed of page.entries.filter((batch) => !hasEnded(batch))) {
      const ends = await countEnds(table, listed);
      // Read after the jobs, so every end among them counts, unless none of it ever does.
      const batch = await findBatch(table, owner, listed.id);
      const uncounted = Math.max(0, ends + batch.dropped - countEnded(batch));
      if (uncounted > 0 || isForgotten(batch)) standing.push({ batch, uncounted });
    }
    after = page.next;
  } while (after !== undefined);
  return standing;
}

async function countEnds(table: Table, batch: Batch): Promise<number> {
  let ends = 0;
  for await (const jobs of walkBatchJobs(table, batch)) {
    ends += jobs.filter(({ terminal }) => terminal).length;
  }
  return ends;
}

/** Neither the clock nor the end of a job leads to its next step. */
function isForgotten(batch: Batch): boolean {
  return !hasEnded(batch) && batch.dueAt === undefined && countInFlight(batch) === 0;
}

/** Says what is wrong with a batch, and what to do. */
export function explainStanding({ batch, uncounted }: StandingBatch): string {
  const cause =
    uncounted > 0
      ? `${uncounted} of its jobs ended and ${uncounted === 1 ? 'was' : 'were'} not counted`
      : 'nothing will attend to it';
  return (
    `the batch ${batch.id} stands still with ${batch.count - countEnded(batch)} of ${batch.count} jobs, because ${cause}. ` +
    `Its owner can cancel it, which gives back what its jobs hold: DELETE /batches/${batch.project.hpc}/${batch.project.name}/${batch.id}/`
  );
}
