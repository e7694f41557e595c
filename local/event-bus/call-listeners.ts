import { createDeliveryQueue, drainAll } from '../stream/delivery-queue.ts';
import type { BusEvent } from './put-events.ts';

/** A function of functions/listeners.ts, loaded. */
export interface LoadedListener {
  readonly name: string;
  handler(event: BusEvent): Promise<unknown>;
}

export interface ListenerCalls {
  take(events: readonly BusEvent[]): void;
  /** Resolves when every listener has been told of everything. */
  drain(): Promise<void>;
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
  return {
    take(events) {
      for (const queue of queues) queue.put(events);
    },
    drain: () => drainAll(queues),
  };
}
