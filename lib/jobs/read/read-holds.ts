import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { JobHolds } from '#lib/quotas/reconcile.ts';
import { type AccountKey, firstId, jobListRange, lastId } from '#lib/table/keys.ts';
import { queryPages, selectJobs } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Job, jobFromItem } from '../job.ts';

const nothing: JobHolds = { seconds: 0, kilobytes: 0, activeJobs: 0 };

/**
 * Counts what a job holds of its quota, or of the budget that it draws from, until it is settled and
 * its space is given back.
 */
function holdsOf(
  { terminal, awaitsSettlement, hold, drawn }: Job,
  of: 'quota' | 'budget',
): JobHolds {
  const isSettled = terminal && !awaitsSettlement;
  const isPayer = (drawn === true) === (of === 'budget');
  return {
    seconds: isSettled || !isPayer ? 0 : hold.seconds,
    kilobytes: isPayer ? hold.kilobytes : 0,
    activeJobs: isSettled || (of === 'budget' && !isPayer) ? 0 : 1,
  };
}

/**
 * Adds up what all jobs of a user in a project hold, of the user's quota or of the project's budget,
 * strongly consistent. `onPage` may throw to stop a read that takes too long.
 */
export async function readHolds(
  table: Table,
  account: AccountKey,
  onPage: () => void = () => undefined,
  of: 'quota' | 'budget' = 'quota',
): Promise<JobHolds> {
  let holds = nothing;
  for await (const jobs of walkKeptJobs(table, account)) {
    onPage();
    holds = jobs.map((job) => holdsOf(job, of)).reduce(addHolds, holds);
  }
  return holds;
}

export function addHolds(a: JobHolds, b: JobHolds): JobHolds {
  return {
    seconds: a.seconds + b.seconds,
    kilobytes: a.kilobytes + b.kilobytes,
    activeJobs: a.activeJobs + b.activeJobs,
  };
}

/**
 * Walks the jobs of a user in a project that hold some of its quota, page by page and strongly
 * consistent. These are jobs neither cancelled nor deleted, and cancelled ones until they are
 * settled. The cost grows with all of the user's jobs there, because filtered items are read too.
 */
export async function* walkKeptJobs(table: Table, account: AccountKey): AsyncGenerator<Job[]> {
  const all = selectJobs(account.user, jobListRange(account, firstId, lastId));
  const { canceled, deleted } = ownStages;
  const kept = {
    ...all,
    FilterExpression: 'NOT stage IN (:canceled, :deleted) OR attribute_exists(awaits_settlement)',
    ExpressionAttributeValues: {
      ...all.ExpressionAttributeValues,
      ':canceled': canceled,
      ':deleted': deleted,
    },
  };
  yield* queryPages(table, kept, jobFromItem);
}
