import type { RemoteFile } from '#lib/hpc/connector.ts';
import { SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import { openWorkApart, startWorkThread, type WorkApart, type WorkThread } from './work-apart.ts';

/** Lists the files of folders of jobs. */
export type ListApart = WorkApart<string, RemoteFile[]>;

/** One listing takes a tenth of a second at most, unless the disk hangs. */
const limits = {
  waitingPerOwner: 16,
  waitingOwners: 64,
  patienceMs: 5_000,
  answerMs: 5_000,
  restTimes: 3,
};

const retrySeconds = 2;

/** Lists files in a thread of its own, so that nobody else waits for a job with many. */
export function openListings(
  startThread: () => WorkThread<string, RemoteFile[]> = startListingThread,
): ListApart {
  const refuse = () =>
    new SystemBusyError('Too many lists of files are asked for at once.', retrySeconds);
  return openWorkApart({ startThread, refuse, ...limits });
}

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

function startListingThread(): WorkThread<string, RemoteFile[]> {
  return startWorkThread(
    new URL('./listing-thread.ts', import.meta.url),
    { resourceLimits },
    (cause) => new SystemUnavailableError('The files of a job could not be listed.', { cause }),
  );
}
