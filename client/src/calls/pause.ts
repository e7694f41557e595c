const firstPauseMs = 250;
const longestPauseMs = 30_000;

/** As many seconds as were asked for, else longer each time, and never the same for everybody. */
export function choosePause(attempt: number, askedSeconds = 0): number {
  const own = Math.min(longestPauseMs, firstPauseMs * 2 ** attempt) * (0.5 + Math.random() / 2);
  return Math.max(askedSeconds * 1000, own);
}

/** Ends early, with its reason, when the caller gives up. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
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
