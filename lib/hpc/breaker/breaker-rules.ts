import { addSeconds } from '#lib/time/add-seconds.ts';
/** What is remembered of a system's answers, so that one that is down is not asked for nothing. */
export interface BreakerState {
  /** Calls without an answer since the last one with it. */
  readonly failures: number;
  /** Set while the system is not called, and then until a trial has succeeded. */
  readonly openUntil: Date | undefined;
  /** How long it was opened for the last time. */
  readonly pauseSeconds: number;
  /** When the first of those failures was. */
  readonly failingSince: Date | undefined;
  /** What the last call said that got no answer; kept when the system is back. */
  readonly lastError: BreakerError | undefined;
}

export interface BreakerError {
  readonly at: Date;
  readonly reason: string;
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

/** `trial`: the pause is over, and one call may find out whether the system is back. */
export type BreakerPhase = 'closed' | 'open' | 'trial';

export function findPhase({ openUntil }: BreakerState, now: Date): BreakerPhase {
  if (openUntil === undefined) return 'closed';
  // A pause that ends later than any pause does was written before the clock was set back.
  const leftSeconds = (openUntil.getTime() - now.getTime()) / 1000;
  return leftSeconds > 0 && leftSeconds <= longestPauseSeconds ? 'open' : 'trial';
}

/** Opens after five failures in a row; a trial that fails opens for twice as long. */
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
      // A call that began before: it says nothing new.
      return before;
  }
}

/** Whatever a system answers, it is there. */
export function countAnswer({ lastError }: BreakerState): BreakerState {
  return { ...closedBreaker, lastError };
}

function open(state: BreakerState, pauseSeconds: number, now: Date): BreakerState {
  return { ...state, pauseSeconds, openUntil: addSeconds(now, pauseSeconds) };
}
