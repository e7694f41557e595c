import { describe, expect, it } from 'vitest';
import { computeHold, type Demand } from '#lib/quotas/holds/compute-hold.ts';

const demand: Demand = { nodes: 2, coresPerNode: 6, hours: 0.5, inputBytes: 0 };

function seconds(nodes: number, hours: number): number {
  return computeHold('node', { ...demand, nodes, hours }).seconds;
}

function kilobytes(inputBytes: number): number {
  return computeHold('node', { ...demand, inputBytes }).kilobytes;
}

describe('computeHold', () => {
  it.each([
    { rule: 'wall-clock', held: 1800 },
    { rule: 'node', held: 3600 },
    { rule: 'core', held: 21_600 },
  ] as const)('charges $held seconds by $rule', ({ rule, held }) => {
    expect(computeHold(rule, demand)).toEqual({ seconds: held, kilobytes: 0 });
  });

  it('holds what the golden cases hold', () => {
    expect(seconds(2, 2)).toBe(14_400);
    expect(seconds(2, 0.5)).toBe(3600);
  });

  it.each([
    { nodes: 3, hours: 0.1, held: 1080 },
    { nodes: 7, hours: 0.1, held: 2520 },
    { nodes: 1, hours: 1.1, held: 3960 },
    { nodes: 3, hours: 0.7, held: 7560 },
    { nodes: 512, hours: 0.3, held: 552_960 },
    { nodes: 72, hours: 1 / 3, held: 86_400 },
  ])('drops the noise of doubles: $nodes x $hours h', ({ nodes, hours, held }) => {
    expect(seconds(nodes, hours)).toBe(held);
  });

  it.each([
    { hours: 1 / 3600, held: 1 },
    { hours: 1.001 / 3600, held: 2 },
    { hours: 1.999 / 3600, held: 2 },
    { hours: 2 / 3600, held: 2 },
    { hours: 3599.999 / 3600, held: 3600 },
    { hours: 3600.001 / 3600, held: 3601 },
  ])('rounds up to whole seconds: $hours h', ({ hours, held }) => {
    expect(seconds(1, hours)).toBe(held);
  });

  it.each([1e-3, 1e-9, 1e-15, Number.MIN_VALUE])('holds at least 1 second of %d h', (hours) => {
    expect(seconds(1, hours / 3600)).toBe(1);
  });

  it('stays whole at the limits of the catalog', () => {
    const most = computeHold('core', { ...demand, nodes: 512, coresPerNode: 64, hours: 24 });
    expect(most.seconds).toBe(2_831_155_200);
  });

  it.each([
    { bytes: 0, held: 0 },
    { bytes: 1, held: 1 },
    { bytes: 999, held: 1 },
    { bytes: 1000, held: 1 },
    { bytes: 1001, held: 2 },
    { bytes: 4_500_000, held: 4500 },
  ])('holds $held kilobytes for $bytes bytes', ({ bytes, held }) => {
    expect(kilobytes(bytes)).toBe(held);
  });
});
