import * as v from 'valibot';
import { createDeliveryLanes } from '../stream/delivery-lanes.ts';
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

/** So many owners are served beside each other: a receiver that is silent keeps one lane busy. */
const laneCount = 16;

/** Every listener is told of every event, after whoever sent it has got its answer. */
export function callListeners(listeners: readonly LoadedListener[]): ListenerCalls {
  const queues = listeners.map(({ name, handler }) =>
    createDeliveryLanes<BusEvent>({ name, laneCount, ownerOf, deliver: handler }),
  );
  let all: Promise<unknown> = Promise.resolve();
  return {
    take(events) {
      const taken = queues.map((queue) => queue.put(events));
      all = Promise.all([all, ...taken]);
    },
    settled: () => all,
    queues,
  };
}

const Owned = v.object({ owner: v.string() });

/** Events of nobody have an owner of their own. */
function ownerOf({ detail }: BusEvent): string {
  const result = v.safeParse(Owned, detail);
  return result.success ? result.output.owner : '';
}
