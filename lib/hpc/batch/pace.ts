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
 * Allows so many calls in each second, and a burst of as many after a pause. Turns are taken in the
 * order in which they were asked for.
 */
export function createPace(perSecond: number, { now, wait }: PaceClock = realClock): Pace {
  const gapMs = 1000 / perSecond;
  /** When the next turn is if calls were spread evenly. */
  let next = Number.NEGATIVE_INFINITY;
  return {
    async takeTurn() {
      const at = now();
      next = Math.max(next + gapMs, at - 1000 + gapMs);
      if (next > at) await wait(next - at);
    },
  };
}
