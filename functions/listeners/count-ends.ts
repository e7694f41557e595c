import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { parseEndedJobs } from '#lib/events/ended-jobs-event.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

/** Adds ended jobs to the sums that reports are made of, each once however often it is told. */
export async function handler(event: unknown): Promise<void> {
  await countEnds(table, parseEndedJobs(event));
}
