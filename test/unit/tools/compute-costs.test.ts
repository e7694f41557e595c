import { describe, expect, it } from 'vitest';
import { billedMs, computeCosts, countTraces, type Usage } from '#tools/costs/compute-costs.ts';
import { parts } from './parts.ts';

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
  const sweeps = { writes: 43_200 * 4 * 0.625e-6, reads: 43_200 * 31 * 0.125e-6 };

  it('charges a job by the measured units of its submission and its life', () => {
    const lines = computeCosts(usage, parts);
    const writes = 23 + 6 + 10 * 3 + 21 + 10;
    expect(dollarsOf(lines, 'write units')).toBeCloseTo(writes * 0.625 + sweeps.writes);
    expect(dollarsOf(lines, 'read units')).toBeCloseTo((3.5 + 15 + 1.5 + 5) * 0.125 + sweeps.reads);
    expect(lines.find(({ what }) => what === 'HTTP API')?.dollars).toBeCloseTo(1);
  });

  it('charges reads of jobs, pages and quotas by their measured read units', () => {
    const looks = { ...usage, looksPerJob: 2, pagesPerJob: 3, quotaLooksPerJob: 4 };
    expect(dollarsOf(computeCosts(looks, parts), 'read units')).toBeCloseTo(
      (2 + 3 * 13 + 4 + 25) * 0.125 + sweeps.reads,
    );
  });

  it('grows with the number of jobs, except for fixed costs', () => {
    const total = (jobs: number) =>
      computeCosts({ ...usage, jobs }, parts).reduce((sum, { dollars }) => sum + dollars, 0);
    // From here on each second has a request: before, each of them is the first of its second.
    expect(total(5_000_000) - total(4_000_000)).toBeCloseTo(total(4_000_000) - total(3_000_000));
    expect(total(0)).toBeGreaterThan(0);
  });

  it('charges an idle month for fixed parts and scheduled runs', () => {
    const idle = computeCosts({ ...usage, jobs: 0 }, parts);
    expect(dollarsOf(idle, 'metrics of alarms')).toBeCloseTo(0.5);
    expect(dollarsOf(idle, 'own metrics')).toBeCloseTo(1.5);
    expect(dollarsOf(idle, 'dashboards')).toBeCloseTo(3);
    expect(dollarsOf(idle, 'keys')).toBeCloseTo(2);
    expect(dollarsOf(idle, 'secrets')).toBeCloseTo(1.6);
    expect(dollarsOf(idle, 'traces')).toBeCloseTo(43_200 * 5e-6);
    expect(dollarsOf(computeCosts({ ...usage, jobs: 1 }, parts), 'own metrics')).toBeCloseTo(6);
  });

  it('bills processor time by the share of a processor, and waiting in full', () => {
    // 512 of 1,769 MB; 82 ms of loading spread over 200 requests; two calls of 5 ms.
    expect(billedMs('submission')).toBeCloseTo((3.0 + 82 / 200) / (512 / 1769) + 10);
  });
});

describe('countTraces', () => {
  it.each([
    { runs: 100, traces: 100 },
    { runs: 2_592_000, traces: 2_592_000 },
    { runs: 2_592_000 + 1_000, traces: 2_592_000 + 50 },
  ])('takes the first of each second and 5 % of the others: $runs', ({ runs, traces }) => {
    expect(countTraces(runs)).toBeCloseTo(traces);
  });
});
