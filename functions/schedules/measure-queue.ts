import { catalog } from '#lib/catalog/catalog.ts';
import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { measureLongestWait } from '#lib/jobs/run/sweep/due-jobs.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { reportOldestDue } from '#lib/telemetry/metrics.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

/** How long the job that waits longest has been due, per system: what the dashboard and an alarm show. */
export async function handler(): Promise<void> {
  for (const { name } of catalog.systems) {
    reportOldestDue(name, await measureLongestWait(table, name));
  }
}
