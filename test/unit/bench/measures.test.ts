import { expect, it } from 'vitest';
import { formatTable, median, percentile } from '../../../bench/measure/figures.ts';
import { computeGrowth } from '../../../bench/measure/growth-of-units.ts';

it.each([
  { values: [3, 1, 2], share: 0.5, expected: 2 },
  { values: [4, 1, 3, 2], share: 0.5, expected: 2 },
  { values: [10, 20, 30], share: 0.99, expected: 30 },
  { values: [10, 20, 30], share: 0, expected: 10 },
  { values: [], share: 0.5, expected: Number.NaN },
])('takes the percentile $share of $values', ({ values, share, expected }) => {
  expect(percentile(values, share)).toBe(expected);
});

it('takes the median without changing what it is given', () => {
  const values = [3, 1, 2];
  expect(median(values)).toBe(2);
  expect(values).toEqual([3, 1, 2]);
});

it.each([
  { small: [1, 0], large: [1, 0], growth: 1 },
  { small: [2, 10], large: [2, 15], growth: 1.5 },
  { small: [2, 10], large: [3, 10], growth: 1.5 },
  { small: [0, 10], large: [1, 10], growth: Number.POSITIVE_INFINITY },
])('takes the worse of reads and writes: $small to $large', ({ small, large, growth }) => {
  const cost = ([readUnits = 0, writeUnits = 0]: number[]) => ({ readUnits, writeUnits });
  expect(computeGrowth(cost(small), cost(large))).toBe(growth);
});

it('puts names to the left and numbers to the right', () => {
  expect(
    formatTable([
      ['', 'ms'],
      ['single', '1'],
    ]),
  ).toBe('        ms\nsingle   1\n');
});
