import { describe, expect, it } from 'vitest';
import { findSystem } from '#lib/catalog/catalog.ts';
import { offerIn } from '#lib/catalog/resources.ts';
import { hasPrice, priceEnd, priceJob } from '#lib/charging/price-job.ts';
import { catalog } from '../../fixtures/catalog.ts';

const onFargate = { connector: { kind: 'batch' }, price: undefined } as const;

describe('the price of a job', () => {
  it('is that of cores, memory and a public address, in millionths of a dollar', () => {
    // 0.04048 + 2 x 0.004445 + 0.005
    expect(priceJob(onFargate, { coresPerNode: 1 }, 1)).toBe(54_370);
    expect(priceJob(onFargate, { coresPerNode: 1 }, 2)).toBe(108_740);
  });

  it('is that of the size which Fargate has, not of the cores that were asked for', () => {
    const size = (coresPerNode: number) => priceJob(onFargate, { coresPerNode }, 1);
    expect(size(9)).toBe(size(16));
    expect(size(8)).toBeLessThan(size(9) ?? 0);
  });

  it('follows the catalog, and leaves out the address in a network of your own', () => {
    const connector = {
      kind: 'batch',
      price: { coreHour: 1, gbHour: 0.5 },
      memoryPerCore: 4,
      queue: 'own',
      jobDefinition: 'own',
    } as const;
    expect(priceJob({ ...onFargate, connector }, { coresPerNode: 2 }, 1)).toBe(6_000_000);
  });

  it('is that of its class, where that has one', () => {
    const classes = [{ name: 'normal' }, { name: 'spot', price: { coreHour: 0.5, gbHour: 0.1 } }];
    const system = { ...findSystem(catalog, 'hpc_one'), ...onFargate, classes };
    const priceIn = (className?: string) =>
      priceJob(offerIn(system, className), { coresPerNode: 1 }, 1);
    // 0.5 + 2 x 0.1 + 0.005
    expect(priceIn('spot')).toBe(705_000);
    expect(['normal', 'gone', undefined].map(priceIn)).toEqual([54_370, 54_370, 54_370]);
  });

  it('is that of the smallest size with the memory that was asked for', () => {
    const asked = (memoryMegabytes: number) =>
      priceJob(onFargate, { coresPerNode: 1, memoryMegabytes }, 1);
    // 0.04048 + 8 x 0.004445 + 0.005, and two cores for 9 GB
    expect(asked(8_000)).toBe(81_040);
    expect(asked(8_001)).toBe(125_965);
  });

  it('does not exist on other systems', () => {
    const system = findSystem(catalog, 'hpc_one');
    expect(hasPrice(system)).toBe(false);
    expect(priceJob(offerIn(system, undefined), { coresPerNode: 1 }, 1)).toBeUndefined();
    expect(hasPrice(onFargate)).toBe(true);
  });
});

describe('the price of an ended job', () => {
  it.each([
    { ran: 0, used: 0 },
    { ran: 1, used: 1_000 },
    { ran: 60, used: 1_000 },
    { ran: 61, used: 1_017 },
    { ran: 3600, used: 60_000 },
    { ran: 9999, used: 60_000 },
  ])('is $used after $ran seconds of an hour that could cost 60,000', ({ ran, used }) => {
    expect(priceEnd(60_000, 1, ran)).toBe(used);
  });
});
