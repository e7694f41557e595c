import { type Catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';

export interface Choice {
  readonly hpc?: string | undefined;
  readonly project?: string | undefined;
}

/** All projects, or those of a system, or one. A name that fits none is an error, and not silence. */
export function chooseProjects(
  catalog: Catalog,
  projects: readonly Project[],
  { hpc, project }: Choice,
): Project[] {
  const system = hpc === undefined ? undefined : findSystem(catalog, hpc);
  const chosen = projects.filter(
    (each) =>
      (system === undefined || each.hpc === system.name) &&
      (project === undefined || each.name === project),
  );
  if (chosen.length === 0) throw new Error(`There is no project '${project}'.`);
  return chosen;
}
