export interface WriteQueue {
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Resolves when everything queued so far has ended. */
  drain(): Promise<void>;
}

/**
 * Every write, plain or transactional, runs alone: it reads, decides and commits before the next
 * one reads. That is what makes conditions and ADDs exact and transactions serialisable, without
 * lock ordering or deadlocks. Locks per item would let unrelated writes overlap, but there is one
 * JavaScript thread, evaluating a write is synchronous, and all that could overlap is one short
 * LevelDB batch. Readers never wait here: they read from a snapshot (snapshot-reads.ts).
 *
 * Unlike the real service no transaction is ever refused with TransactionConflict: the second one
 * waits instead.
 */
export function createWriteQueue(): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(task) {
      const result = last.then(task);
      last = result.catch(() => undefined);
      return result;
    },
    async drain() {
      await last;
    },
  };
}
