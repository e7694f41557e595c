import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import type { HpcSystem } from './hpc-system.ts';

/**
 * Tells whether jobs send their results to the service. Those of some kinds always do, those of
 * others if the catalog says so.
 */
export function sendsResults(system: HpcSystem): boolean {
  const { connector } = system;
  const isTold = 'movesOwnFiles' in connector && connector.movesOwnFiles === true;
  return traitsOf(system).sendsResults || isTold;
}
