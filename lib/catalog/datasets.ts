import type { HpcSystem } from './hpc-system.ts';
import type { ProjectName } from './identifiers.ts';

export type Dataset = NonNullable<HpcSystem['datasets']>[number];

/** Lists the data of a system that a project may use. */
export function datasetsFor(
  { datasets = [] }: Pick<HpcSystem, 'datasets'>,
  project: ProjectName,
): readonly Dataset[] {
  return datasets.filter(({ projects }) => projects?.includes(project) ?? true);
}

/**
 * Returns the variables of a job: those in which it finds the names of the data sets of its project,
 * and their paths, and its own.
 */
export function environmentOf(
  system: Pick<HpcSystem, 'datasets'>,
  project: ProjectName,
  own: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> | undefined {
  const found = datasetsFor(system, project);
  const paths = found.map(({ name, path }) => [`SLIPWAY_DATASET_${name.toUpperCase()}`, path]);
  const names = found.map(({ name }) => name).join(' ');
  const variables = {
    ...(found.length > 0 && { SLIPWAY_DATASETS: names }),
    ...Object.fromEntries(paths),
    ...own,
  };
  return Object.keys(variables).length > 0 ? variables : undefined;
}
