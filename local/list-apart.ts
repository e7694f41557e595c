import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { openGate } from '#lib/concurrency/open-gate.ts';
import type { RemoteFile } from '#lib/hpc/connector.ts';
import { SystemBusyError, SystemUnavailableError } from '#lib/hpc/errors.ts';

/** A thread that lists the files of one folder at a time. */
export interface ListingThread {
  list(folder: string): Promise<RemoteFile[]>;
  stop(): void;
}

/** Lists the files of jobs of many users, each in turn. */
export type ListApart = (owner: string, folder: string) => Promise<RemoteFile[]>;

/** One listing takes a tenth of a second at most, unless the disk hangs. */
const limits = { waitingPerOwner: 16, waitingOwners: 64, patienceMs: 5_000 };

/**
 * After a listing, the next one of its owner rests for so many times as long, because the thread
 * that answers has work with it too. The first one takes longer, while the thread starts.
 */
const restTimes = 3;
const longestRestMs = 500;

const retrySeconds = 2;

/**
 * Lists files in a thread of its own, so that nobody else waits for a job with many. A user has one
 * listing in the line at a time, so those of all users take turns. What would wait too long is
 * refused, and a thread that does not answer is replaced.
 */
export function openListings(startThread: () => ListingThread = startListingThread): ListApart {
  const refuse = () =>
    new SystemBusyError('Too many lists of files are asked for at once.', retrySeconds);
  const takeTurn = openGate({ width: 1, waiting: limits.waitingOwners }, refuse);
  const owners = new Map<string, { readonly enter: typeof takeTurn; listings: number }>();
  let thread: ListingThread | undefined;

  async function ask(folder: string): Promise<RemoteFile[]> {
    const asked = thread ?? startThread();
    thread = asked;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(refuse()), limits.patienceMs);
    try {
      return await Promise.race([asked.list(folder), late.promise]);
    } catch (error) {
      asked.stop();
      thread = undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Opens the line of an owner, and forgets it once nothing is left in it. */
  async function inLineOf(owner: string, work: () => Promise<void>): Promise<void> {
    const line = owners.get(owner) ?? {
      enter: openGate({ width: 1, waiting: limits.waitingPerOwner }, refuse),
      listings: 0,
    };
    owners.set(owner, line);
    line.listings += 1;
    try {
      await line.enter(work);
    } finally {
      line.listings -= 1;
      if (line.listings === 0) owners.delete(owner);
    }
  }

  return (owner, folder) => {
    const { promise, resolve, reject } = Promise.withResolvers<RemoteFile[]>();
    const giveUpAt = performance.now() + limits.patienceMs;
    inLineOf(owner, async () => {
      let began = performance.now();
      const files = await takeTurn(async () => {
        began = performance.now();
        if (began > giveUpAt) throw refuse();
        return ask(folder);
      });
      resolve(files);
      await rest(Math.min(longestRestMs, (performance.now() - began) * restTimes));
    }).catch(reject);
    return promise;
  };
}

/** Does not keep the process from ending. */
function rest(ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setTimeout(resolve, ms).unref();
  return promise;
}

const threadMegabytes = 64;

/** Starts a thread that does not keep the process from ending. */
function startListingThread(): ListingThread {
  const worker = new Worker(new URL('./listing-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
  });
  worker.unref();
  return {
    async list(folder) {
      try {
        const answer = once(worker, 'message');
        worker.postMessage(folder);
        const [files] = await answer;
        return files;
      } catch (error) {
        throw new SystemUnavailableError('The files of a job could not be listed.', {
          cause: error,
        });
      }
    },
    stop: () => void worker.terminate(),
  };
}
