import type { HpcSystem } from './hpc-system.ts';

/**
 * The systems that this process serves. The start of a process reads a catalog and chooses it here,
 * before anything asks for it. Bundles replace this file with the systems that they were built with
 * (lib/stand-ins), and the tests replace it with theirs (vitest.config.ts).
 */
let chosen: readonly HpcSystem[] | undefined;

export function chooseSystems(systems: readonly HpcSystem[]): void {
  chosen = systems;
}

export function chosenSystems(): readonly HpcSystem[] {
  if (!chosen) throw new Error('No catalog has been chosen for this process.');
  return chosen;
}
