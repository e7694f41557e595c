import { ownStages } from '#lib/catalog/hpc-system.ts';
import { jobFromItem } from '#lib/jobs/job-item.ts';
import { lifeFromItem } from '#lib/jobs/life/job-life-item.ts';
import { measureEnd } from '#lib/jobs/life/measure-end.ts';
import type { StoredLine } from '#lib/quotas/ledger-item.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import { type AccountKey, jobKey, jobLifeKey } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';

/** A settlement, and whose ledger it stands in. */
export interface Settlement {
  readonly account: AccountKey;
  readonly line: StoredLine;
}

/**
 * What is known of ends that were settled before their ledger lines said it: how they ended is in
 * the job, and when it ran in its life. How long follows from what was charged.
 */
export async function recallEnds(
  table: Table,
  settlements: readonly Settlement[],
): Promise<EndedJob[]> {
  const known = settlements.flatMap(({ account, line }) =>
    line.jobId === undefined ? [] : [{ account, line, jobId: line.jobId }],
  );
  const [jobs, lives] = await Promise.all([
    readItems(
      table,
      known.map(({ account, jobId }) => jobKey(account, jobId)),
    ),
    readItems(
      table,
      known.map(({ account, jobId }) => jobLifeKey(account, jobId)),
    ),
  ]);
  const jobsById = new Map(jobs.map(jobFromItem).map((job) => [job.jobId, job]));
  const livesById = new Map(lives.map((item) => [item.job_id, lifeFromItem(item)]));
  return known.map(({ account, line: { at, used }, jobId }) => {
    const job = jobsById.get(jobId);
    if (!job)
      throw new Error(`The ledger of ${account.user} settles ${jobId}, which is not there.`);
    const { hold, runtime, endedAt, failed, stage } = job;
    const facts = measureEnd(job, {
      failed,
      cancelled: stage === ownStages.canceled,
      endedAt: endedAt ?? at,
      ranSeconds: hold.seconds > 0 ? (used / hold.seconds) * runtime * 3600 : 0,
      runningSince: livesById.get(jobId)?.runningSince,
    });
    return { account, jobId, at, used, ...facts };
  });
}
