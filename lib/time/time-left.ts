/** How long a run may continue, as Lambda says. */
export interface TimeLeft {
  /** Until the process is killed, whatever it is doing. */
  readonly leftMs: () => number;
  /** True if nothing more should be started. The remaining time is for what has started. */
  readonly isOver: () => boolean;
}

/** The share of its time in which a run starts something. */
const shareToBegin = 0.8;

/** A scheduled run makes way for the next one, however long it may continue. */
const longestMs = 48_000;

export function beginRun(leftMs: () => number): TimeLeft {
  const allowed = Math.min(leftMs() * shareToBegin, longestMs);
  const began = performance.now();
  return { leftMs, isOver: () => leftMs() <= 0 || performance.now() - began >= allowed };
}
