import type { HpcSystem } from '#lib/catalog/hpc-system.ts';

/** The bundler writes it here (infra/constructs/functions/bundle-options.ts). */
declare const BUILT_IN_CATALOG: { readonly systems: readonly HpcSystem[] };

/** A bundle serves the catalog that it was built with: nothing is read or judged at run time. */
export function chosenSystems(): readonly HpcSystem[] {
  return BUILT_IN_CATALOG.systems;
}
