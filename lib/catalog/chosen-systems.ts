import type { HpcSystem } from './hpc-system.ts';

/**
 * The systems that this process serves. Whoever starts it reads a catalog and chooses it here,
 * before anything asks. A bundle holds the systems that it was built with in the place of this file
 * (lib/stand-ins), and the tests hold theirs (vitest.config.ts).
 */
let chosen: readonly HpcSystem[] | undefined;

export function chooseSystems(systems: readonly HpcSystem[]): void {
  chosen = systems;
}

export function chosenSystems(): readonly HpcSystem[] {
  if (!chosen) throw new Error('No catalog has been chosen for this process.');
  return chosen;
}
