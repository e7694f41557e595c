// By its whole name, under which bundles hold something else.
import { traitsOf } from '#lib/catalog/kinds/kind-traits.ts';
import { type HpcSystem, ownStages } from './hpc-system.ts';
import type { StageMeaning } from './kinds/system-kind.ts';

/** Says what each stage word of a system means to the person who waits for a job. */
export function meaningsOfStages(
  system: HpcSystem,
): Record<string, StageMeaning | 'cancelled' | 'deleted'> {
  const { stages: known } = traitsOf(system);
  const { living, succeeded, failed } = system.stages;
  return Object.fromEntries([
    ...living.map((word, place) => [word, known[word] ?? judgeByPlace(system, place)]),
    ...succeeded.map((word) => [word, 'done']),
    ...failed.map((word) => [word, 'failed']),
    [ownStages.canceled, 'cancelled'],
    [ownStages.deleted, 'deleted'],
  ]);
}

/** Judges a word that is the catalog's own: `living` lists stages in the order of a job's life. */
function judgeByPlace(
  { stages: { living, first, running } }: HpcSystem,
  place: number,
): StageMeaning {
  const runs = living.indexOf(running);
  if (place === runs) return 'running';
  if (place > runs) return 'finishing';
  return place > living.indexOf(first) ? 'starting' : 'waiting';
}
