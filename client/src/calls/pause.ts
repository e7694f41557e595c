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
