import type { Act } from '#lib/audit/act.ts';
import { ownStages } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf, type Job } from '../job.ts';
import { endJob } from '../life/end-job.ts';
import { findLife } from '../life/job-life-store.ts';

/** The time it has been seen running is charged; the HPC system is told by the next sweep. */
export async function cancelJob(table: Table, job: Job, now: Date, act?: Act): Promise<void> {
  const { runningSince } = await findLife(table, accountOf(job), job.jobId);
  const ranSeconds = runningSince ? (now.getTime() - runningSince.getTime()) / 1000 : 0;
  const reason = act ? `Cancelled by an administrator: ${act.reason}` : 'Cancelled by its owner.';
  const end = { stage: ownStages.canceled, failed: false, endedAt: now, ranSeconds, runningSince };
  await endJob(table, job, { ...end, reason, cancelled: true }, now, act);
}
