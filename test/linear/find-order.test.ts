import { describe, expect, it } from 'vitest';
import { type Asked, accountOf, type Told } from './account.ts';
import { type Call, findOrder } from './find-order.ts';

const read: Asked = { act: 'read' };

function submit(seconds: number): Asked {
  return { act: 'submit', id: 'a', jobs: 1, seconds };
}

function call(asked: Asked, invoked: number, at: number, told: Told): Call<Asked, Told> {
  return { asked, invoked, answer: { told, at } };
}

const shown = (left: number) => ({ granted: 10, left });

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
        call({ act: 'end', id: 'a', held: 6, used: 1 }, 3, 6, 'too late'),
        call({ act: 'end', id: 'a', held: 6, used: 1 }, 4, 5, 'accepted'),
        call(read, 7, 8, shown(9)),
      ],
    ],
    [
      'of grants',
      [
        call({ act: 'grant', mode: 'add', seconds: 5 }, 1, 4, 'accepted'),
        call({ act: 'grant', mode: 'set', seconds: 20 }, 2, 3, 'accepted'),
        call(read, 5, 6, { granted: 25, left: 25 }),
      ],
    ],
  ])('%s', (_, history) => {
    expect(findOrder(history, accountOf(10)).isLinear).toBe(true);
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
        call({ act: 'end', id: 'a', held: 6, used: 1 }, 3, 6, 'accepted'),
        call({ act: 'end', id: 'a', held: 6, used: 1 }, 4, 5, 'accepted'),
      ],
    ],
  ])('%s', (_, history) => {
    expect(findOrder(history, accountOf(10)).isLinear).toBe(false);
  });
});
