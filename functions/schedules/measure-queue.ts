import { catalog } from '#lib/catalog/catalog.ts';
import { measureLongestWait } from '#lib/jobs/run/sweep/due-jobs.ts';
import { createPresence } from '#lib/presence/presence.ts';
import { takeSteps } from '#lib/table/data-steps.ts';
import { reportOldestDue } from '#lib/telemetry/metrics.ts';
import { schedules } from '../schedules.ts';
import { table } from '../table.ts';

const notePresence = createPresence(table, schedules['measure-queue'].everyMinutes * 60);

/**
 * Records that the service is running, and the steps of its data. Reports for each system how long its oldest due job has
 * waited, for the dashboard and an alarm.
 */
export async function handler(): Promise<void> {
  await takeSteps(table);
  await notePresence(new Date());
  for (const { name } of catalog.systems) {
    reportOldestDue(name, await measureLongestWait(table, name));
  }
}
