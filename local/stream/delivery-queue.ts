import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { countDroppedEvents } from '#lib/telemetry/measurements.ts';

export interface DeliveryQueue<T> extends Drained {
  /**
   * Resolves when these items are delivered or given up. Never resolves if the queue was stopped
   * first.
   */
  put(items: readonly T[]): Promise<void>;
}

interface DeliveryOptions<T> {
  /** Name of the receiver. */
  readonly name: string;
  readonly batchSize: number;
  deliver(batch: T[]): Promise<unknown>;
  readonly firstPauseMs?: number;
}

interface Waiting<T> {
  readonly item: T;
  /** Set on the last item of each `put`. */
  readonly delivered?: () => void;
}

/** Calls a function as an AWS event source does: in order, one batch at a time, at least once. */
export function createDeliveryQueue<T>(options: DeliveryOptions<T>): DeliveryQueue<T> {
  const { batchSize, deliver } = options;
  const waiting: Waiting<T>[] = [];
  const draining = new AbortController();
  let running: Promise<void> | undefined;
  let stopped = false;

  const deliverNext = async (): Promise<void> => {
    const batch = waiting.splice(0, batchSize);
    await deliverOrGiveUp({
      ...options,
      count: batch.length,
      deliver: () => deliver(batch.map(({ item }) => item)),
      hurry: draining.signal,
    });
    for (const { delivered } of batch) delivered?.();
  };
  const run = async (): Promise<void> => {
    // Lets the caller continue first, because it may put more.
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

/** Work in progress that can be drained. */
export interface Drained {
  readonly isEmpty: boolean;
  /**
   * Resolves when nothing is left. After the signal, starts nothing new and only waits for what is
   * running. Retries no longer pause.
   */
  drain(giveUp: AbortSignal): Promise<void>;
}

/**
 * Resolves when all queues are empty at the same time, because a delivery may fill another queue.
 * This may never happen, so queues stop after `longestMs`. A system may not respond, so after twice
 * that time running deliveries are abandoned.
 */
export async function drainAll(works: readonly Drained[], longestMs = 500): Promise<void> {
  const giveUp = AbortSignal.timeout(longestMs);
  const leave = AbortSignal.timeout(longestMs * 2);
  const left = once(leave, 'abort');
  while (!leave.aborted && works.some(({ isEmpty }) => !isEmpty)) {
    await Promise.race([left, Promise.all(works.map((work) => work.drain(giveUp)))]);
  }
}

interface Delivery extends Pick<DeliveryOptions<unknown>, 'name' | 'firstPauseMs'> {
  readonly count: number;
  deliver(): Promise<unknown>;
  /** Once aborted, retries follow without a pause. */
  readonly hurry: AbortSignal;
}

const attempts = 5;

/**
 * Retries, then drops the events and reports it on standard error. On AWS they would go to a
 * dead-letter queue.
 */
export async function deliverOrGiveUp(delivery: Delivery): Promise<void> {
  const { firstPauseMs = 100, hurry } = delivery;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await delivery.deliver();
      return;
    } catch (error) {
      if (attempt === attempts) {
        process.stderr.write(describeLoss(delivery, error));
        countDroppedEvents(delivery.name, delivery.count);
        return;
      }
      const pause = firstPauseMs * 2 ** (attempt - 1);
      await sleep(pause, undefined, { signal: hurry }).catch(() => undefined);
    }
  }
}

function describeLoss({ name, count }: Delivery, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} failed ${attempts} times. ${count} of its events were dropped: ${reason}\n`;
}

interface LaneOptions<T> extends Pick<DeliveryOptions<T>, 'name'> {
  readonly laneCount: number;
  partyOf(item: T): string;
  deliver(item: T): Promise<unknown>;
}

/**
 * Creates parallel queues. Items of one party keep their order. Different parties do not wait for
 * each other while a lane is free. After that, they share lanes.
 */
export function createDeliveryLanes<T>(options: LaneOptions<T>): DeliveryQueue<T> {
  const { name, laneCount, partyOf, deliver } = options;
  const lanes = Array.from({ length: laneCount }, () =>
    createDeliveryQueue<T>({
      name,
      batchSize: 1,
      deliver: async ([item]) => item !== undefined && deliver(item),
    }),
  );
  /** The lane that each party uses or used last. */
  const lanesOfParties = new Map<string, DeliveryQueue<T>>();
  let shared = 0;

  const takeFreeLane = (): DeliveryQueue<T> | undefined => {
    const free = lanes.find(({ isEmpty }) => isEmpty);
    // The previous party of this lane has no items left.
    for (const [party, lane] of lanesOfParties) if (lane === free) lanesOfParties.delete(party);
    return free;
  };
  const shareLane = (): DeliveryQueue<T> | undefined => {
    shared += 1;
    return lanes[shared % laneCount];
  };
  const chooseLane = (party: string): DeliveryQueue<T> | undefined => {
    const lane = lanesOfParties.get(party) ?? takeFreeLane() ?? shareLane();
    if (lane) lanesOfParties.set(party, lane);
    return lane;
  };
  return {
    async put(items) {
      const byParty = [...Map.groupBy(items, partyOf)];
      await Promise.all(byParty.map(([party, own]) => chooseLane(party)?.put(own)));
    },
    get isEmpty() {
      return lanes.every(({ isEmpty }) => isEmpty);
    },
    async drain(giveUp) {
      await Promise.all(lanes.map((lane) => lane.drain(giveUp)));
    },
  };
}
