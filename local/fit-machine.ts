import { availableParallelism } from 'node:os';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';

/**
 * Lets jobs of this machine ask for all of its cores. The limits that ship are the least that the
 * examples of the interface need: two nodes of six cores, whatever the machine has.
 */
export function fitMachine(
  systems: readonly HpcSystem[],
  cores = availableParallelism(),
): readonly HpcSystem[] {
  return systems.map((system) => {
    const { limits } = system;
    return {
      ...system,
      limits: { ...limits, coresPerNode: Math.max(limits.coresPerNode, cores) },
    };
  });
}
