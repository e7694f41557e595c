import type { Catalog } from '#lib/catalog/catalog.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { changeOf } from '#lib/table/change.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import type { Job } from '../job.ts';
import { putOnce } from '../job-store.ts';
import type { LifeTerms } from '../life/job-life.ts';
import { type Awaited, findAwaited, judgeAwaited } from './awaited.ts';
import { AwaitedFailedError, AwaitedNotFoundError, TooManyResultsError } from './errors.ts';
import { successorToItem } from './successors.ts';
import { type Condition, listConditions, mostCollected, type Waits } from './waits.ts';

/** The clock checks a waiting job this often, should the news of an end have been lost. */
export const recheckSeconds = 300;

/** What a submission waits for, with its state when it was read. */
export interface FoundWaits {
  readonly inputFolder?: string | undefined;
  readonly conditions: readonly (Condition & { readonly awaited: Awaited })[];
  /** True if the job must not be handed over yet. */
  readonly mustWait: boolean;
}

/**
 * Finds what a submission waits for, and refuses it if an id is unknown or a job has already ended
 * badly. Only existing jobs can be named, so no job ever waits for itself.
 */
export async function findWaits(
  table: Table,
  catalog: Catalog,
  owner: UserId,
  waits: Waits,
): Promise<FoundWaits> {
  const wanted = listConditions(waits);
  const found = await findAwaited(
    table,
    catalog,
    owner,
    wanted.map(({ id }) => id),
  );
  const unknown = wanted.filter(({ id }) => !found.has(id));
  if (unknown.length > 0) throw new AwaitedNotFoundError(unknown);
  const conditions = wanted.flatMap((condition) => {
    const awaited = found.get(condition.id);
    return awaited ? [{ ...condition, awaited }] : [];
  });
  for (const { givesInput, awaited } of conditions) {
    const { count = 0 } = awaited.jobs ?? {};
    if (givesInput && count > mostCollected) throw new TooManyResultsError({ count });
  }
  const judged = conditions.map((each) => judgeAwaited(each, each.awaited.state));
  const broken = conditions[judged.indexOf('broken')];
  if (broken) throw new AwaitedFailedError({ ...broken.awaited, ...broken });
  const mustWait = judged.includes('open') || waits.input !== undefined;
  return { conditions, mustWait, inputFolder: waits.input?.folder };
}

/** Returns the part of a new life that says what the job waits for. */
export function waitingTerms(found: FoundWaits, at: Date): LifeTerms {
  const { conditions, mustWait, inputFolder } = found;
  const isOpen = conditions.some(({ awaited }) => awaited.state === 'active');
  return {
    after: conditions.map(({ awaited: { id, hpc, project }, anyEnd, givesInput }) => {
      return { id, hpc, project, anyEnd, givesInput };
    }),
    ...(inputFolder !== undefined && { inputFolder }),
    // A job that only waits for its input is due at once.
    ...(mustWait && { waitsUntil: isOpen ? addSeconds(at, recheckSeconds) : at }),
  };
}

/**
 * Writes down who waits for whom, in the transaction that accepts a job. The flag on an awaited job
 * makes its end known. If it has ended since it was read, the submission is decided again.
 */
export function awaitSteps(job: Job, { conditions }: FoundWaits): Step[] {
  return conditions.flatMap(({ awaited }) => [
    markAwaited(awaited),
    putOnce(successorToItem(awaited.id, job)),
  ]);
}

function markAwaited({ key, seen }: Awaited): Step {
  return {
    Update: changeOf(key, { set: { awaited: true }, expect: seen }),
    refuse: () => new StaleReadError(),
  };
}
