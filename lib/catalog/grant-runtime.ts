// By its whole name, under which bundles hold something else.
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import type { HpcSystem } from './hpc-system.ts';
import { findClass } from './resources.ts';

type Granting = Pick<HpcSystem, 'grantableRuntime' | 'connector' | 'classes'>;

/** Returns the longest time, in hours, that a job of the system, or of a class, can be granted. */
export function longestRuntime(system: Granting, className?: string): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  const { runtime = system.grantableRuntime } = findClass(system, className)?.limits ?? {};
  return (Math.floor(dropNoise((runtime * 3600) / unit)) * unit) / 3600;
}

/**
 * Rounds the requested hours up to the system's unit and caps them at what the system grants. A
 * longer request is not refused. The hold, the answer, the order and the charge all use this figure.
 */
export function grantRuntime(system: Granting, requested: number, className?: string): number {
  const { runtimeUnitSeconds: unit } = traitsOf(system);
  const rounded = (roundUp((requested * 3600) / unit) * unit) / 3600;
  return Math.min(rounded, longestRuntime(system, className));
}
