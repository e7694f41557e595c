import { describe, expect, it } from 'vitest';
import { computeScale } from '#tools/costs/scale.ts';
import { parts } from './parts.ts';

describe('the scale', () => {
  it('grows tenfold from one to ten million jobs, except for fixed costs', () => {
    const [one, ten] = [computeScale(1e6, parts), computeScale(1e7, parts)];
    expect(ten.submissions / one.submissions).toBeCloseTo(10);
    expect(ten.living).toBeCloseTo(ten.submissions * 1800);
    expect(ten.dollars).toBeLessThan(10 * one.dollars);
  });

  it('has a billion jobs in a month of thirty days, five times as many in the busiest hour', () => {
    expect(computeScale(1e9, parts).submissions).toBeCloseTo(1929, 0);
  });
});
