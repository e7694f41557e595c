import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { computeScale } from '#tools/scale/compute-scale.ts';
import { writeScale } from '#tools/scale/write-scale.ts';

describe('the scale', () => {
  it('is in docs/scale.md as it is worked out', () => {
    const page = readFileSync('docs/scale.md', 'utf8');
    const table = /<!-- npm run -s scale -->\n(.*?)<!-- end -->/s.exec(page)?.[1];
    expect(table).toBe(writeScale());
  });

  it('of ten million jobs is ten times that of one million, but for what is fixed', () => {
    const [one, ten] = [computeScale(1e6), computeScale(1e7)];
    expect(ten.submissions / one.submissions).toBeCloseTo(10);
    expect(ten.living).toBeCloseTo(ten.submissions * 1800);
    expect(ten.dollars).toBeLessThan(10 * one.dollars);
  });

  it('has a billion jobs in a month of thirty days, five times as many in the busiest hour', () => {
    expect(computeScale(1e9).submissions).toBeCloseTo(1929, 0);
  });
});
