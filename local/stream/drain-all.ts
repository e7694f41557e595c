import { once } from 'node:events';

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
 * That need not come to an end, so after a while they are told of nothing more; and a system may be
 * silent, so after twice as long nobody waits for what is under way.
 */
export async function drainAll(works: readonly Drained[], longestMs = 500): Promise<void> {
  const giveUp = AbortSignal.timeout(longestMs);
  const leave = AbortSignal.timeout(longestMs * 2);
  const left = once(leave, 'abort');
  while (!leave.aborted && works.some(({ isEmpty }) => !isEmpty)) {
    await Promise.race([left, Promise.all(works.map((work) => work.drain(giveUp)))]);
  }
}
