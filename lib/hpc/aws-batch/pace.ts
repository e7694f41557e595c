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

/** A second, and a twentieth of it because calls take unevenly long to arrive. */
const windowMs = 1050;

/**
 * Spreads calls evenly over each second. A burst after a pause would be throttled, together with the
 * calls that follow it in the same second. Calls that are late because the process was busy catch
 * up, but there are never more than `perSecond` in a second.
 */
export function createPace(perSecond: number, { now, wait }: PaceClock = realClock): Pace {
  const gapMs = windowMs / perSecond;
  /** When the last turns were really taken. */
  const taken: number[] = [];
  let planned = Number.NEGATIVE_INFINITY;
  let queue = Promise.resolve();

  async function waitUntil(plannedAt: number): Promise<void> {
    const oldest = taken.length < perSecond ? undefined : taken.shift();
    const from = Math.max(plannedAt, (oldest ?? Number.NEGATIVE_INFINITY) + windowMs);
    // Timers count whole milliseconds.
    for (let rest = from - now(); rest > 0; rest = from - now()) await wait(Math.ceil(rest));
    taken.push(now());
  }

  return {
    takeTurn() {
      const plannedAt = Math.max(planned + gapMs, now());
      planned = plannedAt;
      queue = queue.then(() => waitUntil(plannedAt));
      return queue;
    },
  };
}
