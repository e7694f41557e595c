import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { parseWaitingJobs } from '#lib/events/waiting-jobs-event.ts';
import { fetchParts } from '#lib/files/staging/fetch-parts.ts';
import { attendEnd, attendWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { signForService } from '#lib/jobs/passes/sign-object.ts';
import { openBucket } from '../buckets.ts';
import { waitingContext } from '../waiting-parts.ts';

/** Together their files have room on the disk of the function. */
const jobsAtOnce = 4;

/** With less time, no files are fetched for another job. It is told of again after some minutes. */
const leastMs = 120_000;

const signInBucket = signForService.bind(undefined, openBucket);

/**
 * Releases the jobs that wait for jobs which have ended, or ends them too, and fetches the files that
 * waiting jobs cannot fetch themselves.
 */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { owner, ended, waiting } = parseWaitingJobs(event);
  for (const id of ended) await attendEnd(waitingContext, owner, id);
  const leftMs = () => context.getRemainingTimeInMillis();
  const fetching = {
    ...waitingContext,
    fetcher: { fetch: fetchParts, sign: signInBucket, leftMs },
  };
  await mapInParallel(waiting, jobsAtOnce, async (key) => {
    await attendWaiting(leftMs() > leastMs ? fetching : waitingContext, key);
  });
}
