/** How long a run may go on, as Lambda tells it of a function. */
export interface TimeLeft {
  /** Until the process is ended, whatever it is doing. */
  readonly leftMs: () => number;
  /** Whether nothing more is to be begun: the rest is for what has begun. */
  readonly isOver: () => boolean;
}

/** The share of its time in which a run begins something. */
const shareToBegin = 0.8;

/** A run by the clock makes room for the next one, however long it may go on. */
const longestMs = 48_000;

export function beginRun(leftMs: () => number): TimeLeft {
  const allowed = Math.min(leftMs() * shareToBegin, longestMs);
  const began = performance.now();
  return { leftMs, isOver: () => leftMs() <= 0 || performance.now() - began >= allowed };
}
