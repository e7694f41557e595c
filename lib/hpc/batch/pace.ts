import { setTimeout as sleep } from 'node:timers/promises';

export interface Pace {
  /** Waits until the next call may be made. */
  takeTurn(): Promise<void>;
}

export interface PaceClock {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<unknown>;
}

const realClock: PaceClock = { now: () => performance.now(), wait: sleep };

/**
 * Spreads calls evenly over each second. A burst after a pause would be throttled, together with the
 * calls that follow it in the same second.
 */
export function createPace(perSecond: number, { now, wait }: PaceClock = realClock): Pace {
  const gapMs = 1000 / perSecond;
  let next = Number.NEGATIVE_INFINITY;
  return {
    async takeTurn() {
      const at = now();
      next = Math.max(next + gapMs, at);
      if (next > at) await wait(next - at);
    },
  };
}
