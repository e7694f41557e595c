import type { Store } from 'dynalite/db/index.js';
import type { Change } from './staged-writes.ts';
import type { ChangedBy } from './stream-records.ts';
import type { WriteQueue } from './write-queue.ts';

/** What every operation works on. */
export interface Engine {
  store: Store;
  queue: WriteQueue;
  /** Milliseconds since 1970. */
  now(): number;
  /** Called inside the queue, after each commit, with all of it: so the calls are in commit order. */
  onCommit(changes: readonly Change[], by: ChangedBy): void;
}
