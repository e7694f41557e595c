/** Something that has work under way, and comes to an end of it. */
export interface Drained {
  readonly isEmpty: boolean;
  /**
   * Resolves when nothing is left, or when the signal has come and what was under way has ended.
   * Nothing is waited for between two attempts any more.
   */
  drain(giveUp: AbortSignal): Promise<void>;
}

/**
 * Resolves when all of them are empty at once: what one delivers may put something into another.
 * That need not come to an end, so after a while they are told of nothing more.
 */
export async function drainAll(works: readonly Drained[], longestMs = 5_000): Promise<void> {
  const giveUp = AbortSignal.timeout(longestMs);
  while (works.some(({ isEmpty }) => !isEmpty)) {
    await Promise.all(works.map((work) => work.drain(giveUp)));
  }
}
