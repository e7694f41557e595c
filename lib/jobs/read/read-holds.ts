import type { JobHolds } from '#lib/quotas/reconcile.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { Job } from '../job.ts';
import { walkKeptJobs } from './walk-kept-jobs.ts';

const nothing: JobHolds = { seconds: 0, kilobytes: 0, activeJobs: 0 };

/** What a job takes of its quota until it is settled and its space is given back. */
function holdsOf({ terminal, awaitsSettlement, hold }: Job): JobHolds {
  const isSettled = terminal && !awaitsSettlement;
  return {
    seconds: isSettled ? 0 : hold.seconds,
    kilobytes: hold.kilobytes,
    activeJobs: isSettled ? 0 : 1,
  };
}

/**
 * What all jobs of a user in a project hold, strongly consistent. `onPage` may throw where that
 * takes too long.
 */
export async function readHolds(
  table: Table,
  account: AccountKey,
  onPage: () => void = () => undefined,
): Promise<JobHolds> {
  let holds = nothing;
  for await (const jobs of walkKeptJobs(table, account)) {
    onPage();
    holds = jobs.map(holdsOf).reduce(addHolds, holds);
  }
  return holds;
}

function addHolds(a: JobHolds, b: JobHolds): JobHolds {
  return {
    seconds: a.seconds + b.seconds,
    kilobytes: a.kilobytes + b.kilobytes,
    activeJobs: a.activeJobs + b.activeJobs,
  };
}
