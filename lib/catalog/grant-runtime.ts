// By its whole name, under which bundles hold something else.
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import type { Offer } from './resources.ts';

type Granting = Pick<Offer, 'grantableRuntime' | 'connector'>;

/** Returns the longest time, in hours, that a job can be granted. */
export function longestRuntime(offer: Granting): number {
  const { runtimeUnitSeconds: unit } = traitsOf(offer);
  return (Math.floor(dropNoise((offer.grantableRuntime * 3600) / unit)) * unit) / 3600;
}

/**
 * Rounds the requested hours up to the system's unit and caps them at what the system grants. A
 * longer request is not refused. The hold, the answer, the order and the charge all use this figure.
 */
export function grantRuntime(offer: Granting, requested: number): number {
  const { runtimeUnitSeconds: unit } = traitsOf(offer);
  const rounded = (roundUp((requested * 3600) / unit) * unit) / 3600;
  return Math.min(rounded, longestRuntime(offer));
}
