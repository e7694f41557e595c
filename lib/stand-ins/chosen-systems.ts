import type { HpcSystem } from '#lib/catalog/hpc-system.ts';

/** The bundler writes the systems here, as JSON (infra/constructs/functions/bundle-options.ts). */
declare const BUILT_IN_SYSTEMS: string;

/** Serves the systems that the bundle was built with: their catalog was judged then. */
const systems: readonly HpcSystem[] = JSON.parse(BUILT_IN_SYSTEMS);

export function chosenSystems(): readonly HpcSystem[] {
  return systems;
}
