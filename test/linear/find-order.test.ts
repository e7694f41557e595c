import { describe, expect, it } from 'vitest';
import { type Asked, accountsOf, type Told } from './accounts.ts';
import { type Call, findOrder } from './find-order.ts';

const read: Asked = { act: 'read', member: 0 };
const readBudget: Asked = { act: 'read', member: 'budget' };

function submit(held: number, id = 'a'): Asked {
  return { act: 'submit', member: 0, id, held };
}

const endOfA: Asked = { act: 'end', member: 0, id: 'a', held: 6, used: 1 };

function share(seconds: number, member = 0): Asked {
  return { act: 'share', member, mode: 'add', seconds };
}

function call(asked: Asked, invoked: number, at: number, told: Told): Call<Asked, Told> {
  return { asked, invoked, answer: { told, at } };
}

const shown = (left: number, held = 10 - left) => ({ granted: 10, left, held });

describe('an order is found', () => {
  it.each<[string, Call<Asked, Told>[]]>([
    [
      'of calls one after the other',
      [call(submit(6), 1, 2, 'accepted'), call(read, 3, 4, shown(4))],
    ],
    [
      'of a read that began earlier and ended later',
      [
        call(read, 1, 6, shown(4)),
        call(submit(6), 2, 3, 'accepted'),
        call(submit(6), 4, 5, 'refused'),
      ],
    ],
    [
      'where the later call must come first',
      [call(submit(6), 1, 9, 'refused'), call(submit(5), 2, 3, 'accepted')],
    ],
    [
      'if a call without an answer happened',
      [{ asked: submit(6), invoked: 1 }, call(read, 5, 6, shown(10)), call(read, 7, 8, shown(4))],
    ],
    ['if it did not', [{ asked: submit(6), invoked: 1 }, call(submit(8), 2, 3, 'accepted')]],
    [
      'of two ends of which one is too late',
      [
        call(submit(6), 1, 2, 'accepted'),
        call(endOfA, 3, 6, 'too late'),
        call(endOfA, 4, 5, 'accepted'),
        call(read, 7, 8, shown(9, 0)),
      ],
    ],
    [
      'of grants',
      [
        call({ act: 'grant', member: 0, mode: 'add', seconds: 5 }, 1, 4, 'accepted'),
        call({ act: 'grant', member: 0, mode: 'set', seconds: 20 }, 2, 3, 'accepted'),
        call(read, 5, 6, { granted: 25, left: 25, held: 0 }),
      ],
    ],
    [
      'of shares, of which the budget suffices for one',
      [
        call(share(4), 1, 4, 'refused'),
        call(share(4, 1), 2, 3, 'accepted'),
        call(readBudget, 5, 6, { granted: 5, left: 1, held: 0 }),
      ],
    ],
    [
      'of a share that is taken back, and no more than that',
      [
        call(share(4), 1, 2, 'accepted'),
        call(share(-5), 3, 4, 'refused'),
        call(share(-3), 5, 6, 'accepted'),
        call(readBudget, 7, 8, { granted: 5, left: 4, held: 0 }),
      ],
    ],
    [
      'of two cancels, where nobody knows which came first',
      [
        call(submit(6), 1, 2, 'accepted'),
        call(endOfA, 3, 6, 'done'),
        call(endOfA, 4, 5, 'done'),
        call(read, 7, 8, shown(9, 0)),
      ],
    ],
  ])('%s', (_, history) => {
    expect(findOrder(history, accountsOf([10, 0], 5)).isLinear).toBe(true);
  });
});

describe('no order is found', () => {
  it.each<[string, Call<Asked, Told>[]]>([
    ['for a stale read', [call(submit(6), 1, 2, 'accepted'), call(read, 3, 4, shown(10))]],
    [
      'for an oversold account',
      [call(submit(6), 1, 4, 'accepted'), call(submit(6), 2, 3, 'accepted')],
    ],
    [
      'for a lost hold',
      [
        call(submit(3), 1, 4, 'accepted'),
        call(submit(4), 2, 3, 'accepted'),
        call(read, 5, 6, shown(6)),
      ],
    ],
    ['for a refusal without a reason', [call(submit(6), 1, 2, 'refused')]],
    [
      'for reads that go back',
      [call(submit(6), 1, 9, 'accepted'), call(read, 2, 3, shown(4)), call(read, 4, 5, shown(10))],
    ],
    [
      'for two first ends',
      [
        call(submit(6), 1, 2, 'accepted'),
        call(endOfA, 3, 6, 'accepted'),
        call(endOfA, 4, 5, 'accepted'),
      ],
    ],
    [
      'for a budget that is shared out twice',
      [call(share(4), 1, 4, 'accepted'), call(share(4, 1), 2, 3, 'accepted')],
    ],
    [
      'for a share that the budget did not pay',
      [call(share(4), 1, 2, 'accepted'), call(readBudget, 3, 4, { granted: 5, left: 5, held: 0 })],
    ],
    [
      'for a call that changed something although it said busy',
      [call(submit(6), 1, 2, 'busy'), call(read, 3, 4, shown(4))],
    ],
    ['for an end before its job', [call(endOfA, 1, 2, 'done'), call(submit(6), 3, 4, 'accepted')]],
    [
      'for a call without an answer that happened twice',
      [{ asked: submit(3), invoked: 1 }, call(read, 2, 3, shown(7)), call(read, 4, 5, shown(4))],
    ],
  ])('%s', (_, history) => {
    expect(findOrder(history, accountsOf([10, 0], 5)).isLinear).toBe(false);
  });
});
