import { describe, expect, it } from 'vitest';
import { billedMs, computeCosts, type Usage } from '#tools/costs/compute-costs.ts';

const usage: Usage = {
  jobs: 1_000_000,
  looksPerJob: 0,
  pagesPerJob: 0,
  quotaLooksPerJob: 0,
  minutesPerJob: 10,
  monthsKept: 0,
};

function dollarsOf(lines: ReturnType<typeof computeCosts>, unit: string): number {
  return lines.find((line) => line.unit === unit)?.dollars ?? Number.NaN;
}

describe('computeCosts', () => {
  // What the clock's functions take of the table in a month, whether there are jobs or not.
  const sweeps = { writes: 43_200 * 2 * 0.625e-6, reads: 43_200 * 18 * 0.125e-6 };

  it('charges a job for the units of its submission and of its life that were measured', () => {
    const lines = computeCosts(usage);
    const writes = 23 + 6 + 10 * 3 + 21 + 10;
    expect(dollarsOf(lines, 'write units')).toBeCloseTo(writes * 0.625 + sweeps.writes);
    expect(dollarsOf(lines, 'read units')).toBeCloseTo((3.5 + 15 + 1.5 + 5) * 0.125 + sweeps.reads);
    expect(lines.find(({ what }) => what === 'HTTP API')?.dollars).toBeCloseTo(1);
  });

  it('charges looks, pages and quotas for the read units that were measured', () => {
    const looks = { ...usage, looksPerJob: 2, pagesPerJob: 3, quotaLooksPerJob: 4 };
    expect(dollarsOf(computeCosts(looks), 'read units')).toBeCloseTo(
      (2 + 3 * 13 + 4 + 25) * 0.125 + sweeps.reads,
    );
  });

  it('grows with the jobs but for what is fixed', () => {
    const total = (jobs: number) =>
      computeCosts({ ...usage, jobs }).reduce((sum, { dollars }) => sum + dollars, 0);
    expect(total(2_000_000) - total(1_000_000)).toBeCloseTo(total(1_000_000) - total(0));
    expect(total(0)).toBeGreaterThan(0);
  });

  it('bills processor time on a part of a processor, and waiting as it is', () => {
    // 512 of 1,769 MB; 82 ms of loading spread over 200 requests; two calls of 5 ms.
    expect(billedMs('submission')).toBeCloseTo((3.0 + 82 / 200) / (512 / 1769) + 10);
  });
});
