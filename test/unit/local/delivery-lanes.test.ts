import { describe, expect, it } from 'vitest';
import { createDeliveryLanes } from '#local/stream/delivery-queue.ts';

interface Item {
  readonly owner: string;
  readonly number: number;
}

/** Lanes whose owners are held up until the test lets them go. */
function createLanes(laneCount: number) {
  const begun: string[] = [];
  const held = new Map<string, PromiseWithResolvers<void>>();
  const lanes = createDeliveryLanes<Item>({
    name: 'listener',
    laneCount,
    partyOf: ({ owner }) => owner,
    deliver: async ({ owner, number }) => {
      begun.push(`${owner}${number}`);
      await held.get(owner)?.promise;
    },
  });
  return {
    lanes,
    begun,
    hold(owner: string) {
      held.set(owner, Promise.withResolvers());
    },
    letGo(owner: string) {
      held.get(owner)?.resolve();
      held.delete(owner);
    },
    put: (...names: string[]) =>
      lanes.put(names.map((name) => ({ owner: name.charAt(0), number: Number(name.slice(1)) }))),
  };
}

const never = new AbortController().signal;

describe('lanes', () => {
  it('keep the order of one owner, and no owner waits for another', async () => {
    const { lanes, begun, hold, letGo, put } = createLanes(3);
    hold('a');
    const first = put('a1', 'b1', 'a2', 'b2');
    await put('b3', 'c1');
    expect(begun.filter((name) => name.startsWith('b'))).toEqual(['b1', 'b2', 'b3']);
    expect(begun).toContain('c1');
    expect(begun).not.toContain('a2');
    expect(lanes.isEmpty).toBe(false);
    letGo('a');
    await first;
    await lanes.drain(never);
    expect(begun.filter((name) => name.startsWith('a'))).toEqual(['a1', 'a2']);
    expect(lanes.isEmpty).toBe(true);
  });

  it('are shared if there are more owners than lanes', async () => {
    const { lanes, begun, hold, letGo, put } = createLanes(2);
    for (const owner of ['a', 'b']) hold(owner);
    const all = put('a1', 'b1', 'c1', 'd1', 'c2');
    await expect.poll(() => begun, { interval: 1 }).toEqual(['a1', 'b1']);
    for (const owner of ['a', 'b']) letGo(owner);
    await all;
    expect(begun.toSorted()).toEqual(['a1', 'b1', 'c1', 'c2', 'd1']);
    expect(begun.indexOf('c1')).toBeLessThan(begun.indexOf('c2'));
    await lanes.drain(never);
  });

  it('are free for others when an owner has nothing left in them', async () => {
    const { begun, hold, letGo, put, lanes } = createLanes(2);
    for (const owner of ['a', 'b', 'c', 'd']) await put(`${owner}1`);
    await lanes.drain(never);
    hold('a');
    const waiting = put('a2');
    // Its lane was that of others before, of whom none may be sent behind it now.
    await put('b2', 'c2');
    await put('d2');
    letGo('a');
    await waiting;
    expect(begun.slice(4)).toEqual(['a2', 'b2', 'c2', 'd2']);
  });

  it('report when items are delivered, and accept nothing after giving up', async () => {
    const { lanes, begun, hold, letGo, put } = createLanes(2);
    hold('a');
    put('a1', 'a2');
    await expect.poll(() => begun, { interval: 1 }).toEqual(['a1']);
    const drained = lanes.drain(AbortSignal.abort());
    letGo('a');
    await drained;
    put('b1');
    expect(lanes.isEmpty).toBe(true);
    expect(begun).toEqual(['a1']);
  });
});
