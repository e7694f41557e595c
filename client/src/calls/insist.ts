import type { Settings } from './settings.ts';

/** What a try came to: a result, or a failure and whether another try may end otherwise. */
export type Outcome<Result> =
  | { readonly result: Result }
  | {
      readonly failure: Error;
      readonly passing: boolean;
      readonly retryAfter?: number | undefined;
    };

const usualRetries = 6;
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** Whoever is asked to wait longer than this decides for themselves. */
const longestWaitSeconds = 300;

/** Tries until it is done, with pauses in between: as long as was asked for, and ever longer. */
export async function insist<Result>(
  { retries = usualRetries, pause: wait = pause }: Settings,
  signal: AbortSignal | undefined,
  tryOnce: () => Promise<Outcome<Result>>,
): Promise<Result> {
  for (let count = 0; ; count += 1) {
    const outcome = await tryOnce();
    if ('result' in outcome) return outcome.result;
    const { failure, passing, retryAfter = 0 } = outcome;
    if (count >= retries || !passing || retryAfter > longestWaitSeconds) throw failure;
    await wait(Math.max(retryAfter * 1000, choosePause(count)), signal);
  }
}

/** Never the same for everybody: those who were refused together do not come back together. */
function choosePause(count: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** count) * (0.5 + Math.random() / 2);
}

/** Ends early, with its reason, when the caller gives up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', giveUp, { once: true });

    function finish() {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }
    function giveUp() {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
