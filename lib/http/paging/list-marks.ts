import type { AllJobsList } from '#lib/jobs/read/job-list.ts';
import type { LedgerList } from '#lib/quotas/statement/read-ledger.ts';
import type { ListMarks } from './list-cursors.ts';

/** Of a caller's jobs. */
export function jobMarks({ owner, hpc, project, order, filter }: AllJobsList): ListMarks {
  return [owner, hpc, project, order, filter];
}

/** Of everybody's: marked, so that no cursor of an administrator is good for a caller's list. */
export function allJobsMarks(list: AllJobsList): ListMarks {
  return ['administrators', ...jobMarks(list)];
}

export function ledgerMarks({ user, hpc, project, since, until }: LedgerList): ListMarks {
  return ['ledger', user, hpc, project, since, until];
}
