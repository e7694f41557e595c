import * as v from 'valibot';
import { awaitShutdown } from '#lib/outbound/shutdown.ts';
import { createDeliveryLanes } from './delivery-queue.ts';
import type { BusEvent } from './put-events.ts';

/** Tells a function how long it may go on, as Lambda does. */
export interface CallContext {
  getRemainingTimeInMillis(): number;
}

/** The time limit on AWS of a function that calls an HPC system. */
const longestMs = 300_000;

/** Creates the context of a call. Once the service is ending, no time remains, so nothing new begins. */
export function makeCallContext(isEnding: () => boolean): CallContext {
  return { getRemainingTimeInMillis: () => (isEnding() ? 0 : longestMs) };
}

/** A loaded function of functions/listeners.ts. */
export interface LoadedListener {
  readonly name: string;
  readonly source: string;
  handler(event: BusEvent, context: CallContext): Promise<unknown>;
}

/** The number of parallel deliveries. A silent receiver or system keeps one lane busy. */
const laneCount = 16;

const context = makeCallContext(() => awaitShutdown().aborted);

/** Delivers every event to the listeners of its source, after its sender has been answered. */
export function callListeners(listeners: readonly LoadedListener[]) {
  const heard = listeners.map(({ name, source, handler }) => ({
    source,
    queue: createDeliveryLanes<BusEvent>({
      name,
      laneCount,
      partyOf,
      deliver: (event) => handler(event, context),
    }),
  }));
  let all = Promise.resolve();
  return {
    take(events: readonly BusEvent[]): void {
      const taken = heard.map(({ source, queue }) =>
        queue.put(events.filter((event) => event.source === source)),
      );
      // Without the values: each would hold the one before it, and they would pile up.
      all = Promise.all([all, ...taken]).then(() => undefined);
    },
    /** Resolves when everything taken so far is done. */
    settled: () => all,
    queues: heard.map(({ queue }) => queue),
  };
}

const Concerning = v.object({ hpc: v.optional(v.string()), owner: v.optional(v.string()) });

/** Returns the party of an event: the system that has work, or the owner who is notified. */
function partyOf({ detail }: BusEvent): string {
  const result = v.safeParse(Concerning, detail);
  return result.success ? (result.output.hpc ?? result.output.owner ?? '') : '';
}
