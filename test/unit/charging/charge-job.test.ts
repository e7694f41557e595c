import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { offerIn, type Resources } from '#lib/catalog/resources.ts';
import { chargeJob, computeSettlement, countUnits } from '#lib/charging/charge-job.ts';

const asked: Resources = { nodes: 2, coresPerNode: 6 };

const system = {
  limits: { nodes: 512, coresPerNode: 64 },
  charging: 'node',
  connector: { kind: 'simulator' },
  grantableRuntime: 24,
} as const satisfies Partial<HpcSystem>;

function seconds(nodes: number, hours: number): number {
  return chargeJob(offerIn(system, undefined), { ...asked, nodes }, hours).seconds;
}

describe('the charge by a word', () => {
  it.each([
    { charging: 'wall-clock', charged: 1800 },
    { charging: 'node', charged: 3600 },
    { charging: 'core', charged: 21_600 },
  ] as const)('is $charged seconds by $charging', ({ charging, charged }) => {
    expect(chargeJob(offerIn({ ...system, charging }, undefined), asked, 0.5).seconds).toBe(
      charged,
    );
  });

  it('matches the golden cases', () => {
    expect(seconds(2, 2)).toBe(14_400);
    expect(seconds(2, 0.5)).toBe(3600);
  });

  it.each([
    { nodes: 3, hours: 0.1, charged: 1080 },
    { nodes: 7, hours: 0.1, charged: 2520 },
    { nodes: 1, hours: 1.1, charged: 3960 },
    { nodes: 3, hours: 0.7, charged: 7560 },
    { nodes: 512, hours: 0.3, charged: 552_960 },
    { nodes: 72, hours: 1 / 3, charged: 86_400 },
  ])('drops the noise of doubles: $nodes x $hours h', ({ nodes, hours, charged }) => {
    expect(seconds(nodes, hours)).toBe(charged);
  });

  it.each([
    { hours: 1 / 3600, charged: 1 },
    { hours: 1.001 / 3600, charged: 2 },
    { hours: 1.999 / 3600, charged: 2 },
    { hours: 2 / 3600, charged: 2 },
    { hours: 3599.999 / 3600, charged: 3600 },
    { hours: 3600.001 / 3600, charged: 3601 },
  ])('is rounded up to whole seconds: $hours h', ({ hours, charged }) => {
    expect(seconds(1, hours)).toBe(charged);
  });

  it.each([1e-3, 1e-9, 1e-15, Number.MIN_VALUE])('is at least 1 second for %d h', (hours) => {
    expect(seconds(1, hours / 3600)).toBe(1);
  });

  it('stays exact at the limits of the catalog', () => {
    const most = { nodes: 512, coresPerNode: 64 };
    expect(chargeJob(offerIn({ ...system, charging: 'core' }, undefined), most, 24).seconds).toBe(
      2_831_155_200,
    );
  });
});

const weights = { core: 1, gpu: 20, memoryGb: 0.25 };
const sum = { per: weights, rule: 'sum' } as const;
const max = { per: weights, rule: 'max' } as const;

describe('the charge by weights', () => {
  const large = { nodes: 2, coresPerNode: 8, gpusPerNode: 1, memoryMegabytes: 64_000 };

  it('adds up the resources of all nodes, or takes the dearest', () => {
    // 2 x (8 + 20 + 16), and 2 x 20
    expect(countUnits(sum, large)).toBe(88);
    expect(countUnits(max, large)).toBe(40);
    expect(chargeJob(offerIn({ ...system, charging: sum }, undefined), large, 1.5).seconds).toBe(
      88 * 5400,
    );
  });

  it('ignores resources without a weight, and those that nobody asked for', () => {
    expect(countUnits({ per: { gpu: 20 }, rule: 'sum' }, large)).toBe(40);
    expect(countUnits(sum, asked)).toBe(12);
  });

  it('is the same by both rules for one resource, and never less by the sum', () => {
    const some = fc.record({
      nodes: fc.integer({ min: 1, max: 512 }),
      coresPerNode: fc.integer({ min: 1, max: 128 }),
      gpusPerNode: fc.integer({ min: 0, max: 8 }),
      memoryMegabytes: fc.integer({ min: 1, max: 2_000_000 }),
    });
    fc.assert(
      fc.property(some, (resources) => {
        expect(countUnits(sum, resources)).toBeGreaterThanOrEqual(countUnits(max, resources));
        const cores = { per: { core: 1 } };
        expect(countUnits({ ...cores, rule: 'sum' }, resources)).toBe(
          countUnits('core', resources),
        );
        expect(countUnits({ ...cores, rule: 'max' }, resources)).toBe(
          countUnits('core', resources),
        );
      }),
    );
  });

  it('is exact for weights and memory that doubles cannot hold', () => {
    const charging = { per: { memoryGb: 0.1 }, rule: 'sum' } as const;
    const small = { nodes: 3, coresPerNode: 1, memoryMegabytes: 700 };
    // 3 x 0.07 h
    expect(chargeJob(offerIn({ ...system, charging }, undefined), small, 1).seconds).toBe(756);
  });
});

describe('the charge in a class', () => {
  const classes = [
    { name: 'normal' },
    { name: 'urgent', chargingFactor: 2 },
    { name: 'gpu', charging: { per: { gpu: 5 }, rule: 'max' } },
  ] as const;
  const offering = { ...system, charging: sum, gpusPerNode: 4, classes };
  const one = { nodes: 1, coresPerNode: 4, gpusPerNode: 1 };

  it.each([
    { className: undefined, hours: 24 },
    { className: 'normal', hours: 24 },
    { className: 'urgent', hours: 48 },
    { className: 'gpu', hours: 5 },
    { className: 'gone', hours: 24 },
  ])('$className is $hours hours', ({ className, hours }) => {
    expect(chargeJob(offerIn(offering, className), one, 1).seconds).toBe(hours * 3600);
  });
});

const hold = { seconds: 14_400 };

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

  it('returns everything, and no more, if the clock went backwards', () => {
    expect(computeSettlement(hold, 2, -1)).toEqual({ used: 0, returned: 14_400 });
    expect(computeSettlement(hold, 2, -90_000)).toEqual({ used: 0, returned: 14_400 });
  });

  it('drops the noise of doubles', () => {
    expect(computeSettlement({ seconds: 1080 }, 0.1, 120)).toEqual({
      used: 360,
      returned: 720,
    });
    expect(computeSettlement({ seconds: 3 }, 0.1, 120).used).toBe(1);
  });

  it('never charges more than the hold, and never loses a second', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 3_000_000_000 }),
        fc.double({ min: 0.001, max: 24, noNaN: true }),
        fc.double({ min: -100_000, max: 100_000, noNaN: true }),
        (seconds, hours, ran) => {
          const { used, returned } = computeSettlement({ seconds }, hours, ran);
          expect(used + returned).toBe(seconds);
          expect(used).toBeGreaterThanOrEqual(0);
          expect(returned).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});
