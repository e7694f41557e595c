import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { measureLongestWait } from '#lib/jobs/run/sweep/due-jobs.ts';
import { createPresence } from '#lib/presence/presence.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { reportOldestDue } from '#lib/telemetry/metrics.ts';
import { schedules } from '../schedules.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

const notePresence = createPresence(table, schedules['measure-queue'].everyMinutes * 60);

/**
 * Writes down that the service is there, and reports per system how long the job that waits longest
 * has been due: what the dashboard and an alarm show.
 */
export async function handler(): Promise<void> {
  await notePresence(new Date());
  for (const { name } of catalog.systems) {
    reportOldestDue(name, await measureLongestWait(table, name));
  }
}
