import type { FilePage, PageWish } from '#lib/hpc/connector.ts';
import { SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';
import type { FilesPlace } from '#lib/hpc/machine/files/file-ids.ts';
import type { ThisMachine } from '#lib/hpc/machine/this-machine.ts';
import { openWorkApart, startWorkThread, type WorkThread } from './work-apart.ts';

/** The folder of a job or project, and which of its files are wanted: as many as one answer has, or a page. */
export interface ListingQuestion extends FilesPlace {
  readonly wish?: PageWish;
}

/** Lists the files of folders of jobs. */
type ListApart = Pick<ThisMachine, 'listFiles' | 'listPage'>;

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
  startThread: () => WorkThread<ListingQuestion, FilePage> = startListingThread,
): ListApart {
  const refuse = () =>
    new SystemBusyError('Too many lists of files are asked for at once.', retrySeconds);
  const list = openWorkApart({ startThread, refuse, ...limits });
  return {
    listFiles: async (owner, folder) => (await list(owner, { folder })).files,
    listPage: (owner, folder, wish) => list(owner, { ...folder, wish }),
  };
}

const resourceLimits = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

function startListingThread(): WorkThread<ListingQuestion, FilePage> {
  return startWorkThread(
    new URL('./listing-thread.ts', import.meta.url),
    { resourceLimits },
    (cause) => new SystemUnavailableError('The files of a job could not be listed.', { cause }),
  );
}
