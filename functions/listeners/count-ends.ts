import { parseEndedJobs } from '#lib/events/ended-jobs-event.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import { table } from '../table.ts';

/** Adds ended jobs to the sums of reports. Counts each job once, even if events are repeated. */
export async function handler(event: unknown): Promise<void> {
  await countEnds(table, parseEndedJobs(event));
}
