import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import type { HpcSystem } from './hpc-system.ts';

/**
 * Tells whether the service fetches the files that jobs name by address, and hands the jobs over with
 * them: on systems whose jobs cannot do so themselves.
 */
export function serviceFetches(system: Pick<HpcSystem, 'connector' | 'inputs'>): boolean {
  return traitsOf(system).serviceFetches === true || system.inputs?.fetchedBy === 'service';
}
