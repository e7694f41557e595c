// By its whole name, under which bundles hold something else.
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import type { HpcSystem } from './hpc-system.ts';

type Granting = Pick<HpcSystem, 'grantableRuntime' | 'connector'>;

/** The longest time, in hours, that any job of a system is granted. */
export function longestRuntime(system: Granting): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  return (Math.floor(dropNoise((system.grantableRuntime * 3600) / unit)) * unit) / 3600;
}

/**
 * The hours that a job gets: what its system can be given, rounded up to the system's unit, and at
 * most what the system grants. A longer request is cut, not refused. The hold, the answer, the
 * order and the charge all go by this one figure.
 */
export function grantRuntime(system: Granting, requested: number): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  const rounded = (roundUp((requested * 3600) / unit) * unit) / 3600;
  return Math.min(rounded, longestRuntime(system));
}
