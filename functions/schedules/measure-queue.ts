import { catalog } from '#lib/catalog/catalog.ts';
import { measureLongestWait } from '#lib/jobs/run/sweep/due-jobs.ts';
import { createPresence } from '#lib/presence/presence.ts';
import { findClosure } from '#lib/systems/judge-maintenance.ts';
import { readMaintenance } from '#lib/systems/read-maintenance.ts';
import { createRewriter } from '#lib/table/rewrite-items.ts';
import { takeSteps } from '#lib/table/taken-steps.ts';
import { reportOldestDue } from '#lib/telemetry/metrics.ts';
import { beginRun } from '#lib/time/time-left.ts';
import { schedules } from '../schedules.ts';
import { table } from '../table.ts';

const notePresence = createPresence(table, schedules['measure-queue'].everyMinutes * 60);

const rewrite = createRewriter(table);

/**
 * Records that the service is running, and the steps of its data. Reports for each system how long
 * its oldest due job has waited, for the dashboard and an alarm. Spends the rest of its time on
 * items that a step of the data changes.
 */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const time = beginRun(() => context.getRemainingTimeInMillis());
  await takeSteps(table);
  await notePresence(new Date());
  for (const { name } of catalog.systems) {
    const { windows } = await readMaintenance(table, name);
    // Nobody is to be woken because a system in maintenance does not answer.
    const isClosed = findClosure(windows, new Date()) !== undefined;
    reportOldestDue(name, isClosed ? 0 : await measureLongestWait(table, name));
  }
  await rewrite(time);
}
