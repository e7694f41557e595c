import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { parseJobReport } from '#lib/events/aws-batch-event.ts';
import { parseDueJobs } from '#lib/events/due-jobs-event.ts';
import { advanceDue } from '#lib/jobs/run/advance-jobs.ts';
import { findReported } from '#lib/jobs/run/find-reported.ts';
import { beginSweep } from '#lib/jobs/run/sweep/sweep.ts';
import { stores, visitSystem } from '../sweep-parts.ts';

/**
 * Hands over the new jobs of one system, passes on cancellations, and checks a job that AWS Batch
 * has reported. Never fails because a system
 * is down: unfinished work stays due, and the schedule retries it.
 */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { hpc, due } = await findDueJobs(event);
  if (due.length === 0) return;
  const system = findSystem(catalog, hpc);
  const leftMs = () => context.getRemainingTimeInMillis();
  await visitSystem(system, (visit) => advanceDue(beginSweep(stores, system, visit, leftMs), due));
}

/** A report is not believed: the system is asked about the job, as a sweep does. */
async function findDueJobs(event: unknown): Promise<ReturnType<typeof parseDueJobs>> {
  const report = parseJobReport(event);
  if (!report) return parseDueJobs(event);
  const found = await findReported(stores.table, report);
  return found ? { hpc: found.hpc, due: [found.due] } : { hpc: '', due: [] };
}
