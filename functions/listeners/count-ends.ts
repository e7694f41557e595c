import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { parseEndedJobs } from '#lib/events/ended-jobs-event.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

/** Adds ended jobs to the sums of reports. Counts each job once, even if events are repeated. */
export async function handler(event: unknown): Promise<void> {
  await countEnds(table, parseEndedJobs(event));
}
