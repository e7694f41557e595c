// By its whole name, under which bundles hold something else.
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import type { HpcSystem } from './hpc-system.ts';

type Granting = Pick<HpcSystem, 'grantableRuntime' | 'connector'>;

/** Returns the longest time, in hours, that a job of the system can be granted. */
export function longestRuntime(system: Granting): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  return (Math.floor(dropNoise((system.grantableRuntime * 3600) / unit)) * unit) / 3600;
}

/**
 * Rounds the requested hours up to the system's unit and caps them at what the system grants. A
 * longer request is not refused. The hold, the answer, the order and the charge all use this figure.
 */
export function grantRuntime(system: Granting, requested: number): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  const rounded = (roundUp((requested * 3600) / unit) * unit) / 3600;
  return Math.min(rounded, longestRuntime(system));
}
