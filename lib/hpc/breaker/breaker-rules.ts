import { addSeconds } from '#lib/time/add-seconds.ts';
/** Tracks failures, so that we stop calling a system that is down. */
export interface BreakerState {
  /** Failed calls in a row. */
  readonly failures: number;
  /** Set while the system is not called, and then until a trial succeeds. */
  readonly openUntil: Date | undefined;
  /** The length of the last pause. */
  readonly pauseSeconds: number;
  /** The time of the first of these failures. */
  readonly failingSince: Date | undefined;
  /** The last failure. It is kept after the system is back. */
  readonly lastError: { readonly at: Date; readonly reason: string } | undefined;
}

export const closedBreaker: BreakerState = {
  failures: 0,
  openUntil: undefined,
  pauseSeconds: 0,
  failingSince: undefined,
  lastError: undefined,
};

const failuresToOpen = 5;
const firstPauseSeconds = 30;
const longestPauseSeconds = 300;

/** `trial`: the pause is over, and one call may check whether the system is back. */
export type BreakerPhase = 'closed' | 'open' | 'trial';

export function findPhase({ openUntil }: BreakerState, now: Date): BreakerPhase {
  if (openUntil === undefined) return 'closed';
  // A pause longer than the longest one was written before the clock was set back.
  const leftSeconds = (openUntil.getTime() - now.getTime()) / 1000;
  return leftSeconds > 0 && leftSeconds <= longestPauseSeconds ? 'open' : 'trial';
}

/** Opens after five failures in a row. A failed trial doubles the pause. */
export function countFailure(before: BreakerState, now: Date, reason: string): BreakerState {
  const state = {
    ...before,
    failingSince: before.failingSince ?? now,
    lastError: { at: now, reason },
  };
  switch (findPhase(before, now)) {
    case 'closed': {
      const failures = state.failures + 1;
      return failures < failuresToOpen
        ? { ...state, failures }
        : open({ ...state, failures }, firstPauseSeconds, now);
    }
    case 'trial':
      return open(state, Math.min(state.pauseSeconds * 2, longestPauseSeconds), now);
    case 'open':
      // The call began before the breaker opened, so it says nothing new.
      return before;
  }
}

/** Any answer shows that the system is up. */
export function countAnswer({ lastError }: BreakerState): BreakerState {
  return { ...closedBreaker, lastError };
}

function open(state: BreakerState, pauseSeconds: number, now: Date): BreakerState {
  return { ...state, pauseSeconds, openUntil: addSeconds(now, pauseSeconds) };
}
