import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDurations,
  countDuration,
  findPercentile,
  noDurations,
  readDurations,
  writeDurations,
} from '#lib/reports/durations.ts';

const count = (seconds: readonly number[]) =>
  seconds.map(countDuration).reduce(addDurations, noDurations);

describe('durations', () => {
  it('give any percentile within 13 percent or a second', () => {
    const longest = 20 * 24 * 3600;
    const measured = fc.array(fc.integer({ min: 0, max: longest }), { minLength: 1 });
    fc.assert(
      fc.property(measured, fc.constantFrom(0.5, 0.95, 1), (seconds, share) => {
        const sorted = seconds.toSorted((a, b) => a - b);
        const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
        const told = findPercentile(count(seconds), share) ?? Number.NaN;
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(Math.max(1, exact * 0.13));
      }),
    );
  });

  it('count a duration equal to a bound in the lower bucket', () => {
    expect(countDuration(10)).toEqual(countDuration(9));
    expect(countDuration(10)).not.toEqual(countDuration(10.1));
    expect(countDuration(1)).toEqual(countDuration(0));
  });

  it('give nothing if there are none, as for jobs that never ran', () => {
    expect(findPercentile(count([]), 0.5)).toBeUndefined();
    expect(findPercentile(countDuration(undefined), 0.5)).toBeUndefined();
  });

  it('report durations beyond the last bucket as 26 days', () => {
    const days = 24 * 3600;
    expect(Math.round((findPercentile(count([400 * days]), 0.5) ?? 0) / days)).toBe(26);
  });

  it('are stored in the same size, however many there are', () => {
    const many = count([1, 60, 60, 3600]).map((each) => each * 12_345_678);
    expect(readDurations(writeDurations(many))).toEqual(many);
    expect(writeDurations(many)).toHaveLength(writeDurations(noDurations).length);
  });
});
