import { describe, expect, it } from 'vitest';
import { judgeCall } from '#lib/http/chain/limit-callers.ts';

/** How many of the calls at these moments pass. */
function countPassing(moments: readonly number[], limit: { rate: number; burst: number }): number {
  let paidUntil: number | undefined;
  let passed = 0;
  for (const now of moments) {
    const judged = judgeCall(paidUntil, now, limit);
    if ('waitMs' in judged) continue;
    ({ paidUntil } = judged);
    passed += 1;
  }
  return passed;
}

const every = (ms: number, count: number) => Array.from({ length: count }, (_, n) => n * ms);

describe('the calls of one caller', () => {
  it('pass as many at once as the burst has, and not one more', () => {
    expect(countPassing(every(0, 50), { rate: 10, burst: 7 })).toBe(7);
    expect(countPassing(every(0, 50), { rate: 10, burst: 1 })).toBe(1);
  });

  it('all pass at the rate, for ever', () => {
    expect(countPassing(every(100, 10_000), { rate: 10, burst: 1 })).toBe(10_000);
  });

  it('pass at the rate when the burst is used up', () => {
    // A minute of 50 calls a second: 20 at once and 10 a second.
    expect(countPassing(every(20, 3000), { rate: 10, burst: 20 })).toBe(20 + 10 * 60 - 1);
  });

  it('that wait as long as they are told pass', () => {
    const limit = { rate: 4, burst: 2 };
    let paidUntil: number | undefined;
    for (let calls = 0; calls < 2; calls += 1) {
      const judged = judgeCall(paidUntil, 1000, limit);
      if ('waitMs' in judged) throw new Error('refused within the burst');
      ({ paidUntil } = judged);
    }
    expect(judgeCall(paidUntil, 1000, limit)).toEqual({ waitMs: 250 });
    expect(judgeCall(paidUntil, 1249, limit)).toEqual({ waitMs: 1 });
    expect(judgeCall(paidUntil, 1250, limit)).toEqual({ paidUntil: 1750 });
  });

  it('after a pause have the whole burst again, and no more than that', () => {
    const moments = [...every(0, 5), ...every(0, 9).map(() => 60_000)];
    expect(countPassing(moments, { rate: 1, burst: 3 })).toBe(3 + 3);
  });
});
