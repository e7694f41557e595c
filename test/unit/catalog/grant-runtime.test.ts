import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { grantRuntime, longestRuntime } from '#lib/catalog/grant-runtime.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { type KindName, kindNames, systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import type { JobOrder } from '#lib/hpc/connector.ts';
import { describeJob as describeForNsg } from '#lib/hpc/nsg/write-form.ts';
import { describeJob as describeForUnicore } from '#lib/hpc/unicore/describe-job.ts';
import { presentSystem } from '#lib/http/presenters/present-catalog.ts';
import { allot } from '#lib/jobs/submit/submission.ts';
import { connectors } from '#test/fixtures/connectors.ts';
import { submissionSample } from '#test/fixtures/submission-sample.ts';
import { startFake } from '#test/slurm/fake-slurmrestd.ts';
import { connect, order as orderSample } from '../hpc/slurm/connect.ts';

const one = findSystem(catalog, 'hpc_one');
const two = findSystem(catalog, 'hpc_two');

const minute = 1 / 60;

function systemOf(kind: KindName, grantableRuntime = 24): HpcSystem {
  return { ...one, connector: connectors[kind], grantableRuntime };
}

describe('the time that a job is granted', () => {
  it.each([
    { system: two, asked: 0.49, granted: 0.49 },
    { system: two, asked: 0.5, granted: 0.5 },
    { system: two, asked: 0.51, granted: 0.5 },
    { system: two, asked: 2, granted: 0.5 },
    { system: one, asked: 2, granted: 2 },
    { system: one, asked: 24, granted: 24 },
    { system: one, asked: 24.1, granted: 24 },
    { system: one, asked: 1e15, granted: 24 },
    { system: one, asked: Number.MAX_VALUE, granted: 24 },
  ])('is $granted of $asked hours on $system.name', ({ system, asked, granted }) => {
    expect(grantRuntime(system, asked)).toBe(granted);
  });

  it.each([
    { kind: 'simulator', asked: 1e-6, granted: 1 / 3600 },
    { kind: 'simulator', asked: 0.02, granted: 0.02 },
    { kind: 'simulator', asked: 0.00042, granted: 2 / 3600 },
    { kind: 'slurm', asked: 1e-6, granted: minute },
    { kind: 'slurm', asked: minute, granted: minute },
    { kind: 'slurm', asked: 0.02, granted: 2 * minute },
    { kind: 'slurm', asked: 8.3, granted: 8.3 },
    { kind: 'slurm', asked: 2, granted: 2 },
    { kind: 'unicore', asked: 1e-6, granted: minute },
    { kind: 'unicore', asked: 0.02, granted: 2 * minute },
    { kind: 'unicore', asked: 2, granted: 2 },
    { kind: 'nsg', asked: 1e-6, granted: 0.05 },
    { kind: 'nsg', asked: 0.06, granted: 0.1 },
    { kind: 'nsg', asked: 0.5, granted: 0.5 },
  ] as const)('is $granted of $asked hours on a system of the kind $kind', (example) => {
    expect(grantRuntime(systemOf(example.kind), example.asked)).toBe(example.granted);
  });

  it('is never longer than the catalog allows, also where that is not a multiple of the unit', () => {
    expect(grantRuntime(systemOf('slurm', 0.02), 5)).toBe(minute);
    expect(longestRuntime(systemOf('slurm', 0.02))).toBe(minute);
    expect(JSON.stringify(presentSystem(systemOf('slurm', 0.02)).limits.runtime)).toBe(
      String(minute),
    );
  });

  it('is held to the second, on every node', () => {
    const asked = { ...submissionSample, nodes: 2, requestedRuntime: 1e-6 };
    expect(allot({ ...asked, system: systemOf('slurm') }, 0).hold.seconds).toBe(120);
    expect(allot({ ...asked, system: systemOf('simulator') }, 0).hold.seconds).toBe(2);
  });

  const requests = fc.double({ min: 1e-6, max: 30, noNaN: true });

  it('is as long as was asked for, by less than a unit longer, and whole units', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kindNames), requests, (kind, asked) => {
        const granted = grantRuntime(systemOf(kind, 48), asked) * 3600;
        expect(granted).toBeGreaterThanOrEqual(asked * 3600 - 1e-3);
        const { runtimeUnitSeconds: unit } = systemKinds[kind];
        expect(granted).toBeLessThan(asked * 3600 + unit + 1e-3);
        expect(Math.abs(granted / unit - Math.round(granted / unit))).toBeLessThan(1e-9);
      }),
    );
  });

  it('is what UNICORE and NSG are told', () => {
    fc.assert(
      fc.property(requests, (asked) => {
        const forUnicore = orderOf(grantRuntime(systemOf('unicore', 48), asked));
        const { Runtime } = describeForUnicore(forUnicore, {}).Resources;
        expect(Number(Runtime)).toBeCloseTo(forUnicore.hours * 3600, 6);
        expect(Number(Runtime) % 60).toBe(0);
        const forNsg = orderOf(grantRuntime(systemOf('nsg', 48), asked));
        const [, hours] = describeForNsg(forNsg).fields.find(
          ([name]) => name === 'vparam.runtime_',
        )!;
        expect(hours).toMatch(/^\d+(\.\d{1,2})?$/);
        expect(Number(hours)).toBe(forNsg.hours);
      }),
    );
  });

  it('is what Slurm is told', async () => {
    const fake = await startFake(38);
    const connector = connect(fake);
    const granted = [1e-6, 0.02, 0.51, 8.3].map((asked) => grantRuntime(systemOf('slurm'), asked));
    for (const hours of granted) await connector.submit(orderOf(hours));
    const minutes = granted.map((hours) => ({ job: { time_limit: Math.round(hours * 60) } }));
    expect(fake.submitted()).toMatchObject(minutes);
    expect(minutes.map(({ job }) => job.time_limit)).toEqual([1, 2, 31, 498]);
  });
});

function orderOf(hours: number): JobOrder {
  return { ...orderSample, hours };
}
