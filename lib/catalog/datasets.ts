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

/** Writes the variables in which jobs of a project find the names of its data sets, and their paths. */
export function writeDatasetVariables(
  system: Pick<HpcSystem, 'datasets'>,
  project: ProjectName,
): Readonly<Record<string, string>> {
  const found = datasetsFor(system, project);
  if (found.length === 0) return {};
  const paths = found.map(({ name, path }) => [`SLIPWAY_DATASET_${name.toUpperCase()}`, path]);
  const names = found.map(({ name }) => name).join(' ');
  return { SLIPWAY_DATASETS: names, ...Object.fromEntries(paths) };
}
