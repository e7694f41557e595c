import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

export interface DeliveryQueue<T> {
  put(items: readonly T[]): void;
  readonly isEmpty: boolean;
  /**
   * Resolves when nothing is left, or when the signal has come and the batch under way has ended.
   * Nothing is waited for between two attempts any more.
   */
  drain(giveUp: AbortSignal): Promise<void>;
}

export interface DeliveryOptions<T> {
  /** Who is delivered to. */
  readonly name: string;
  readonly batchSize: number;
  deliver(batch: T[]): Promise<unknown>;
  readonly firstPauseMs?: number;
}

const attempts = 5;

/**
 * Calls a function as AWS does that calls it for others: in order, one batch at a time, at least
 * once. What fails again and again is given up, with a line; on AWS it would be kept for somebody
 * to look at.
 */
export function createDeliveryQueue<T>(options: DeliveryOptions<T>): DeliveryQueue<T> {
  const { name, batchSize, deliver, firstPauseMs = 100 } = options;
  const waiting: T[] = [];
  const draining = new AbortController();
  let running: Promise<void> | undefined;
  let stopped = false;

  const deliverOrGiveUp = async (batch: T[]): Promise<void> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await deliver(batch);
        return;
      } catch (error) {
        if (attempt === attempts) {
          process.stderr.write(describeLoss(name, batch.length, error));
          return;
        }
        const pause = firstPauseMs * 2 ** (attempt - 1);
        await sleep(pause, undefined, { signal: draining.signal }).catch(() => undefined);
      }
    }
  };
  const run = async (): Promise<void> => {
    // Whoever puts something here goes on first, and may put more of it.
    await nextTurn();
    while (waiting.length > 0) await deliverOrGiveUp(waiting.splice(0, batchSize));
    running = undefined;
  };
  const stop = (): void => {
    stopped = true;
    const left = waiting.splice(0).length;
    if (left > 0) process.stderr.write(`${name} was not told about its last ${left} events.\n`);
  };
  return {
    put(items) {
      if (!stopped) waiting.push(...items);
      if (waiting.length > 0) running ??= run();
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

/**
 * Resolves when all of them are empty at once: what one delivers may put something into another.
 * That need not come to an end, so after a while they are told of nothing more.
 */
export async function drainAll(
  queues: readonly DeliveryQueue<never>[],
  longestMs = 5_000,
): Promise<void> {
  const giveUp = AbortSignal.timeout(longestMs);
  while (queues.some(({ isEmpty }) => !isEmpty)) {
    await Promise.all(queues.map((queue) => queue.drain(giveUp)));
  }
}

function describeLoss(name: string, count: number, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `${name} failed ${attempts} times. ${count} of its events were dropped: ${reason}\n`;
}
