import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { parseDueJobs } from '#lib/events/due-jobs-event.ts';
import { advanceDue } from '#lib/jobs/run/advance-jobs.ts';
import { beginSweep } from '#lib/jobs/run/sweep/sweep.ts';
import { stores, visitSystem } from '../sweep-parts.ts';

/**
 * Hands over the new jobs of one system, and passes on cancellations. Never fails because a system
 * is down: unfinished work stays due, and the schedule retries it.
 */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { hpc, due } = parseDueJobs(event);
  const system = findSystem(catalog, hpc);
  const leftMs = () => context.getRemainingTimeInMillis();
  await visitSystem(system, (visit) => advanceDue(beginSweep(stores, system, visit, leftMs), due));
}
