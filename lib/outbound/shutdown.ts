const never = new AbortController().signal;

let current = never;

/** Comes when this process has been asked to end. On Lambda it never does. */
export function awaitShutdown(): AbortSignal {
  return current;
}

/** For a process that is asked before it ends. Without a signal it goes on for ever again. */
export function announceShutdownBy(signal = never): void {
  current = signal;
}
