import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import type { HpcSystem } from './hpc-system.ts';

/**
 * Tells whether jobs send their results to the service, and what is in the folder of their project,
 * because it sees neither itself. Those of most kinds always do or never, those of others as the
 * catalog says.
 */
export function sendsResults(system: HpcSystem): boolean {
  const { connector } = system;
  if ('files' in connector && connector.files === 'ssh') return false;
  const isTold = 'movesOwnFiles' in connector && connector.movesOwnFiles === true;
  return traitsOf(system).sendsResults || isTold;
}

/** Tells whether the system keeps something of an ended job until it is removed there. */
export function keepsJobs(system: HpcSystem): boolean {
  const { connector } = system;
  return traitsOf(system).keepsJobs || ('files' in connector && connector.files === 'ssh');
}
