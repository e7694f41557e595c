import { openProvided } from './in-process.ts';

const shutdown = openProvided(new AbortController().signal);

/** Returns a signal that aborts when the process is asked to end. On Lambda it never aborts. */
export const awaitShutdown = shutdown.inUse;

export const announceShutdownBy = shutdown.provide;
