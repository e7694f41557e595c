const never = new AbortController().signal;

let current = never;

/** Returns a signal that aborts when the process is asked to end. On Lambda it never aborts. */
export function awaitShutdown(): AbortSignal {
  return current;
}

/** Sets the signal. Without an argument, there is no shutdown to wait for any more. */
export function announceShutdownBy(signal = never): void {
  current = signal;
}
