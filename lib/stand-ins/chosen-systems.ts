import type { HpcSystem } from '#lib/catalog/hpc-system.ts';

/** The bundler writes the systems of the deployment here (infra/constructs/functions/bundle-options.ts). */
declare const BUILT_IN_SYSTEMS: readonly HpcSystem[];

/** A bundle serves the catalog that it was built with: nothing is read or judged at run time. */
export function chosenSystems(): readonly HpcSystem[] {
  return BUILT_IN_SYSTEMS;
}
