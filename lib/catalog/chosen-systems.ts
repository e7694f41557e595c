import { openProvided } from '#lib/outbound/in-process.ts';
import type { HpcSystem } from './hpc-system.ts';

/**
 * The systems that this process serves. The start of a process reads a catalog and chooses it here,
 * before anything asks for it. Bundles replace this file with the systems that they were built with
 * (lib/stand-ins), and the tests replace it with theirs (vitest.config.ts).
 */
const chosen = openProvided<() => readonly HpcSystem[]>(() => {
  throw new Error('No catalog has been chosen for this process.');
});

export const chooseSystems = (systems: readonly HpcSystem[]) => chosen.provide(() => systems);

export const chosenSystems = () => chosen.inUse()();
