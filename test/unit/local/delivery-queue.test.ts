import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDeliveryQueue, drainAll } from '#local/stream/delivery-queue.ts';

/** No end of patience. */
const never = new AbortController().signal;

let lines: string[];
beforeEach(() => {
  lines = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** A reader that notes what it is given, and fails as often as it is told to. */
function createReader(failures = 0) {
  const batches: number[][] = [];
  let left = failures;
  let atOnce = 0;
  let mostAtOnce = 0;
  return {
    batches,
    mostAtOnce: () => mostAtOnce,
    async deliver(batch: number[]) {
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      batches.push(batch);
      await nextTurn();
      atOnce -= 1;
      if (left === 0) return;
      left -= 1;
      throw new Error('not now');
    },
  };
}

function queueFor({ deliver }: ReturnType<typeof createReader>, batchSize = 3) {
  return createDeliveryQueue<number>({ name: 'reader', batchSize, deliver, firstPauseMs: 1 });
}

describe('a delivery queue', () => {
  it('delivers in order, in batches, one at a time', async () => {
    const reader = createReader();
    const queue = queueFor(reader);
    queue.put([1]);
    queue.put([2, 3, 4]);
    queue.put([5, 6, 7]);
    await queue.drain(never);
    expect(reader.batches).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
    expect(reader.mostAtOnce()).toBe(1);
    expect(lines).toEqual([]);
  });

  it('delivers only after the caller has continued', async () => {
    const reader = createReader();
    const queue = queueFor(reader);
    queue.put([1]);
    await Promise.resolve();
    expect(reader.batches).toEqual([]);
    await queue.drain(never);
    expect(reader.batches).toEqual([[1]]);
  });

  it('reports when items are delivered or given up, and never after it was stopped', async () => {
    const reader = createReader(5);
    const queue = queueFor(reader, 1);
    const done: string[] = [];
    const note = (name: string) => () => done.push(name);
    const first = queue.put([1]).then(note('first'));
    const second = queue.put([2, 3]).then(note('second'));
    await queue.put([]);
    expect(done).toEqual([]);
    await first;
    expect(done).toEqual(['first']);
    await second;
    await queue.drain(AbortSignal.abort());
    queue.put([4]).then(note('third'));
    await nextTurn();
    expect(done).toEqual(['first', 'second']);
    expect(reader.batches.flat()).toEqual([1, 1, 1, 1, 1, 2, 3]);
  });

  it('accepts items again after it was empty', async () => {
    const reader = createReader();
    const queue = queueFor(reader);
    expect(queue.isEmpty).toBe(true);
    for (const n of [1, 2, 3]) {
      queue.put([n]);
      expect(queue.isEmpty).toBe(false);
      await expect.poll(() => queue.isEmpty, { interval: 1 }).toBe(true);
    }
    expect(reader.batches).toEqual([[1], [2], [3]]);
  });

  it('retries a failed batch before the next one', async () => {
    const reader = createReader(4);
    const queue = queueFor(reader, 1);
    queue.put([1, 2]);
    await expect.poll(() => queue.isEmpty, { interval: 5 }).toBe(true);
    expect(reader.batches).toEqual([[1], [1], [1], [1], [1], [2]]);
    expect(lines).toEqual([]);
  });

  it('gives up after five attempts, says so, and continues', async () => {
    const reader = createReader(5);
    const queue = queueFor(reader, 2);
    queue.put([1, 2, 3]);
    await queue.drain(never);
    expect(reader.batches.slice(4)).toEqual([[1, 2], [3]]);
    expect(lines).toEqual(['reader failed 5 times. 2 of its events were dropped: not now\n']);
  });

  it('retries without a pause while it is drained', async () => {
    const reader = createReader(4);
    const queue = createDeliveryQueue<number>({
      name: 'reader',
      batchSize: 1,
      deliver: reader.deliver,
      firstPauseMs: 60_000,
    });
    queue.put([1]);
    await queue.drain(never);
    expect(reader.batches).toHaveLength(5);
  });
});

describe('several queues', () => {
  it('are drained together, with what one puts into another', async () => {
    const second = createReader();
    const secondQueue = queueFor(second);
    const firstQueue = createDeliveryQueue<number>({
      name: 'first',
      batchSize: 1,
      deliver: async (batch) => secondQueue.put(batch),
    });
    firstQueue.put([1, 2]);
    await drainAll([secondQueue, firstQueue]);
    expect(second.batches.flat()).toEqual([1, 2]);
    expect(firstQueue.isEmpty && secondQueue.isEmpty).toBe(true);
  });

  it('stop after a while if that never ends', async () => {
    let told = 0;
    const queue = createDeliveryQueue<number>({
      name: 'endless',
      batchSize: 1,
      deliver: async () => {
        told += 1;
        queue.put([1, 2]);
        await nextTurn();
      },
    });
    queue.put([1]);
    await drainAll([queue], 20);
    // On a busy machine what was under way may outlast the patience for it.
    await vi.waitFor(() => expect(queue.isEmpty).toBe(true));
    const before = told;
    queue.put([3]);
    expect(queue.isEmpty).toBe(true);
    expect(told).toBe(before);
  });
});
