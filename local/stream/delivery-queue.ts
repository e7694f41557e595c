import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliverOrGiveUp } from './deliver-or-give-up.ts';
import type { Drained } from './drain-all.ts';

export interface DeliveryQueue<T> extends Drained {
  /** Resolves when these have been delivered or given up; never where the queue was stopped before. */
  put(items: readonly T[]): Promise<void>;
}

export interface DeliveryOptions<T> {
  /** Who is delivered to. */
  readonly name: string;
  readonly batchSize: number;
  deliver(batch: T[]): Promise<unknown>;
  readonly firstPauseMs?: number;
}

interface Waiting<T> {
  readonly item: T;
  /** Of the last one of those that were put together. */
  readonly delivered?: () => void;
}

/**
 * Calls a function as AWS does that calls it for others: in order, one batch at a time, at least
 * once.
 */
export function createDeliveryQueue<T>(options: DeliveryOptions<T>): DeliveryQueue<T> {
  const { name, batchSize, deliver, firstPauseMs } = options;
  const waiting: Waiting<T>[] = [];
  const draining = new AbortController();
  let running: Promise<void> | undefined;
  let stopped = false;

  const deliverNext = async (): Promise<void> => {
    const batch = waiting.splice(0, batchSize);
    await deliverOrGiveUp({
      name,
      count: batch.length,
      deliver: () => deliver(batch.map(({ item }) => item)),
      hurry: draining.signal,
      ...(firstPauseMs !== undefined && { firstPauseMs }),
    });
    for (const { delivered } of batch) delivered?.();
  };
  const run = async (): Promise<void> => {
    // Whoever puts something here goes on first, and may put more of it.
    await nextTurn();
    while (waiting.length > 0) await deliverNext();
    running = undefined;
  };
  const stop = (): void => {
    stopped = true;
    waiting.splice(0);
  };
  return {
    put(items) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (items.length === 0) resolve();
      if (stopped || items.length === 0) return promise;
      const last = items.length - 1;
      waiting.push(
        ...items.map((item, place) => ({ item, ...(place === last && { delivered: resolve }) })),
      );
      running ??= run();
      return promise;
    },
    get isEmpty() {
      return running === undefined;
    },
    async drain(giveUp) {
      draining.abort();
      if (giveUp.aborted) stop();
      giveUp.addEventListener('abort', stop, { once: true });
      while (running) await running;
      giveUp.removeEventListener('abort', stop);
    },
  };
}
