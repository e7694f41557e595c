import { parseWaitingJobs } from '#lib/events/waiting-jobs-event.ts';
import { attendEnd, attendWaiting } from '#lib/jobs/chains/attend-waiting.ts';
import { waitingContext } from '../waiting-parts.ts';

/** Releases the jobs that wait for jobs which have ended, or ends them too. */
export async function handler(event: unknown): Promise<void> {
  const { owner, ended, waiting } = parseWaitingJobs(event);
  for (const id of ended) await attendEnd(waitingContext, owner, id);
  for (const key of waiting) await attendWaiting(waitingContext, key);
}
