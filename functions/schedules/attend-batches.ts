import { sweepDue } from '#lib/table/due-index.ts';
import { listShards } from '#lib/table/keys.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { attend } from '../attend-batches.ts';
import { table } from '../table.ts';

/** Brings every active batch further: what the stream missed, and its progress. */
export async function handler(
  _: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const attendOne = attend(() => context.getRemainingTimeInMillis());
  const options = { width: 4, clock: () => new Date() };
  const failures = await sweepDue(table, listShards('BATCHES'), attendOne, options);
  reportFailures(failures, 'Some batches could not be attended');
}
