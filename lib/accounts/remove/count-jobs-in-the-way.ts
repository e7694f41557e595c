import { walkKeptJobs } from '#lib/jobs/read/walk-kept-jobs.ts';
import type { JobsInTheWay } from '#lib/quotas/errors.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';

/** How many ended jobs hold space of a quota. An account may have more jobs than time to read them. */
export async function countJobsInTheWay(
  table: Table,
  account: AccountKey,
  time: TimeLeft,
): Promise<JobsInTheWay> {
  let ended = 0;
  let isLate = false;
  for await (const jobs of walkKeptJobs(table, account)) {
    ended += jobs.filter(({ terminal, hold }) => terminal && hold.kilobytes > 0).length;
    // One page more, since that is mostly all that there is.
    if (isLate) return { ended, countedAll: false };
    isLate = time.isOver();
  }
  return { ended, countedAll: true };
}
