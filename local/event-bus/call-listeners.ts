import { createDeliveryQueue } from '../stream/delivery-queue.ts';
import type { Drained } from '../stream/drain-all.ts';
import type { BusEvent } from './put-events.ts';

/** A function of functions/listeners.ts, loaded. */
export interface LoadedListener {
  readonly name: string;
  handler(event: BusEvent): Promise<unknown>;
}

export interface ListenerCalls {
  take(events: readonly BusEvent[]): void;
  /** Resolves when all that was taken so far has been done. */
  settled(): Promise<unknown>;
  readonly queues: readonly Drained[];
}

/** Every listener is told of every event, after whoever sent it has got its answer. */
export function callListeners(listeners: readonly LoadedListener[]): ListenerCalls {
  const queues = listeners.map(({ name, handler }) =>
    createDeliveryQueue<BusEvent>({
      name,
      batchSize: 1,
      deliver: ([event]) => (event ? handler(event) : Promise.resolve()),
    }),
  );
  // Each queue keeps its order, so that the last ones stand for all before them.
  let last: readonly Promise<void>[] = [];
  return {
    take(events) {
      if (events.length > 0) last = queues.map((queue) => queue.put(events));
    },
    settled: () => Promise.all(last),
    queues,
  };
}
