import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { parseWaitingJobs } from '#lib/events/waiting-jobs-event.ts';
import { fetchParts } from '#lib/files/staging/fetch-parts.ts';
import { attendWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { waitingContext } from '../waiting-parts.ts';

/** Together they have room on the disk of the function. */
const jobsAtOnce = 4;

/** A job that does not begin any more is told of again after some minutes. */
const leastMs = 120_000;

/** Fetches the files of jobs that cannot do so themselves, and releases these jobs with them. */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { waiting } = parseWaitingJobs(event);
  const leftMs = () => context.getRemainingTimeInMillis();
  const fetching = { ...waitingContext, fetcher: { fetch: fetchParts, leftMs } };
  await mapInParallel(waiting, jobsAtOnce, async (key) => {
    if (leftMs() > leastMs) await attendWaiting(fetching, key);
  });
}
