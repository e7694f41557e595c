import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';

export interface Choice {
  readonly hpc?: string | undefined;
  readonly project?: string | undefined;
}

/** All projects, or those of a system, or one. A name that fits none is an error, and not silence. */
export function chooseProjects(catalog: Catalog, { hpc, project }: Choice): Project[] {
  const systems = hpc === undefined ? catalog.systems : [findSystem(catalog, hpc)];
  const projects = systems.flatMap((system) => system.projects);
  const chosen = projects.filter(({ name }) => project === undefined || name === project);
  if (chosen.length === 0) throw new Error(`There is no project '${project}'.`);
  return chosen;
}
