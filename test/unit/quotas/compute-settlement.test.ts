import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeSettlement } from '#lib/quotas/holds/compute-settlement.ts';

const hold = { seconds: 14_400, kilobytes: 7 };

describe('computeSettlement', () => {
  it.each([
    { ran: 0, used: 0 },
    { ran: 0.1, used: 1 },
    { ran: 1, used: 2 },
    { ran: 3600, used: 7200 },
    { ran: 7199.9, used: 14_400 },
    { ran: 7200, used: 14_400 },
    { ran: 9000, used: 14_400 },
  ])('charges $used of 14400 seconds for $ran of two hours', ({ ran, used }) => {
    expect(computeSettlement(hold, 2, ran)).toEqual({ used, returned: 14_400 - used });
  });

  it('returns all of it, and no more, where the clock went backwards', () => {
    expect(computeSettlement(hold, 2, -1)).toEqual({ used: 0, returned: 14_400 });
    expect(computeSettlement(hold, 2, -90_000)).toEqual({ used: 0, returned: 14_400 });
  });

  it('drops the noise of doubles', () => {
    expect(computeSettlement({ seconds: 1080, kilobytes: 0 }, 0.1, 120)).toEqual({
      used: 360,
      returned: 720,
    });
    expect(computeSettlement({ seconds: 3, kilobytes: 0 }, 0.1, 120).used).toBe(1);
  });

  it('never charges more than was held, and never loses a second', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 3_000_000_000 }),
        fc.double({ min: 0.001, max: 24, noNaN: true }),
        fc.double({ min: -100_000, max: 100_000, noNaN: true }),
        (seconds, hours, ran) => {
          const { used, returned } = computeSettlement({ seconds, kilobytes: 0 }, hours, ran);
          expect(used + returned).toBe(seconds);
          expect(used).toBeGreaterThanOrEqual(0);
          expect(returned).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
