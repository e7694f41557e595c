import type { Settings } from './settings.ts';

/** The result of a try, or its failure and whether a retry may help. */
export type TryResult<Result> =
  | { readonly result: Result }
  | {
      readonly failure: Error;
      readonly passing: boolean;
      readonly retryAfter?: number | undefined;
    };

const usualRetries = 6;
const firstPauseMs = 250;
const longestPauseMs = 30_000;
/** Callers decide themselves about longer waits. */
const longestWaitSeconds = 300;

/** Retries with growing pauses, and never sooner than the service asked. */
export async function insist<Result>(
  { retries = usualRetries, pause: wait = pause }: Settings,
  signal: AbortSignal | undefined,
  tryOnce: () => Promise<TryResult<Result>>,
): Promise<Result> {
  for (let count = 0; ; count += 1) {
    const outcome = await tryOnce();
    if ('result' in outcome) return outcome.result;
    const { failure, passing, retryAfter = 0 } = outcome;
    if (count >= retries || !passing || retryAfter > longestWaitSeconds) throw failure;
    await wait(Math.max(retryAfter * 1000, choosePause(count)), signal);
  }
}

/** Adds jitter, so that clients that were refused together do not return together. */
function choosePause(count: number): number {
  return Math.min(longestPauseMs, firstPauseMs * 2 ** count) * (0.5 + Math.random() / 2);
}

/** Pauses. Rejects with the signal's reason if the caller gives up. */
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
