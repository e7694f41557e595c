const fastMs = 1500;
const slowMs = 30_000;

/**
 * How long to wait before asking again: briefly while something changes, ever longer while nothing
 * does, though never long while something is bound to change.
 */
export function choosePause({
  changed,
  living,
  beforeMs,
}: {
  /** Whether the last answer was another one than before. */
  readonly changed: boolean;
  /** Whether what it shows will change by itself. */
  readonly living: boolean;
  readonly beforeMs: number;
}): number {
  if (changed && living) return fastMs;
  const most = living ? slowMs / 3 : slowMs;
  if (!living) return most;
  return Math.min(most, Math.max(fastMs, beforeMs * 1.3));
}
