import type { Store } from 'dynalite/db/index.js';
import type { WriteQueue } from './write-queue.ts';

/** What every operation works on. */
export interface Engine {
  store: Store;
  queue: WriteQueue;
  /** Milliseconds since 1970. */
  now(): number;
}
