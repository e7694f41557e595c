import { vi } from 'vitest';
import { installClock } from './clock.ts';
import { createRandom, type Fault } from './fault.ts';
import { listPartyFaults } from './party-faults.ts';
import { listSystemFaults } from './system-faults.ts';
import { listTableFaults } from './table-faults.ts';

vi.mock(import('#lib/hpc/simulator/simulator-connector.ts'), async (importOriginal) => {
  const real = await importOriginal();
  const { surround } = await import('./deployment.ts');
  return { ...real, open: (settings, means) => surround(real.open(settings, means), means) };
});

/** Retries wait a little between two tries. Here they need not. */
vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof import('node:timers/promises')>();
  return { ...real, setTimeout: () => real.setTimeout(1) };
});

export const seed = Number(process.env.SEED ?? 20_261_117);
export const clock = installClock();

/** Begins anew with each fault, so that one played alone is the same. */
let draw = createRandom(seed);
const random = () => draw();

export function drawFrom(another: number): void {
  draw = createRandom(another);
}

export const faults: readonly Fault[] = [
  ...listTableFaults(random),
  ...listPartyFaults(random),
  ...listSystemFaults(random, clock),
];
