import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { parseDueBatches } from '#lib/events/due-batches-event.ts';
import { attend } from '../attend-batches.ts';

const batchesAtOnce = 4;

/** Brings batches further that were submitted or cancelled, or of which a job has ended. */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const attendOne = attend(() => context.getRemainingTimeInMillis());
  await mapInParallel(parseDueBatches(event), batchesAtOnce, attendOne);
}
