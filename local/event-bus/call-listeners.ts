import { createDeliveryQueue, type DeliveryQueue } from '../stream/delivery-queue.ts';
import type { Drained } from '../stream/drain-all.ts';
import type { BusEvent } from './put-events.ts';

/** A function of functions/listeners.ts, loaded. */
export interface LoadedListener {
  readonly name: string;
  readonly source: string;
  handler(event: BusEvent, context: { getRemainingTimeInMillis(): number }): Promise<unknown>;
}

export interface ListenerCalls {
  take(events: readonly BusEvent[]): void;
  /** Resolves when all that was taken so far has been done. */
  settled(): Promise<unknown>;
  readonly queues: readonly Drained[];
}

/** As long as a function that calls an HPC system may run on AWS. */
const context = { getRemainingTimeInMillis: () => 300_000 };

/** Every listener is told of every event of its source, after whoever sent it has got its answer. */
export function callListeners(listeners: readonly LoadedListener[]): ListenerCalls {
  const lanes = new Map<string, DeliveryQueue<BusEvent>>();
  // Each lane keeps its order, so that the last one stands for all before it.
  const last = new Map<string, Promise<void>>();
  const openLane = ({ name, handler }: LoadedListener) =>
    createDeliveryQueue<BusEvent>({
      name,
      batchSize: 1,
      deliver: ([event]) => (event ? handler(event, context) : Promise.resolve()),
    });
  return {
    take(events) {
      for (const event of events) {
        for (const listener of listeners.filter(({ source }) => source === event.source)) {
          const lane = `${listener.name} ${laneOf(event)}`;
          const queue = lanes.get(lane) ?? openLane(listener);
          lanes.set(lane, queue);
          last.set(lane, queue.put([event]));
        }
      }
    },
    settled: () => Promise.all(last.values()),
    get queues() {
      return [...lanes.values()];
    },
  };
}

/** Systems apart: one that is slow must not keep the others waiting. */
function laneOf({ detail }: BusEvent): string {
  const { hpc } = Object(detail);
  return typeof hpc === 'string' ? hpc : '';
}
