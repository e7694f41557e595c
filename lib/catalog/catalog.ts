// By its whole name, under which bundles and tests hold something else.
import { chosenSystems } from '#lib/catalog/chosen-systems.ts';
import { ProjectNotFoundError, SystemNotFoundError } from './errors.ts';
import type { HpcSystem, Project } from './hpc-system.ts';

export interface Catalog {
  readonly systems: readonly HpcSystem[];
}

export const catalog: Catalog = {
  get systems() {
    return chosenSystems();
  },
};

/** Compares names exactly: a path in upper case is a different path (design, Paths). */
export function findSystem({ systems }: Catalog, name: string): HpcSystem {
  const system = systems.find((candidate) => candidate.name === name);
  if (!system) throw new SystemNotFoundError(name);
  return system;
}

/** Finds a project of the catalog; lib/projects also knows those opened at run time. */
export function projectOfCatalog({ projects }: HpcSystem, name: string): Project | undefined {
  return projects.find((candidate) => candidate.name === name);
}

export function findProject(system: HpcSystem, name: string): Project {
  const project = projectOfCatalog(system, name);
  if (!project) throw new ProjectNotFoundError(system.name, name);
  return project;
}

export function defaultProject(system: HpcSystem): Project {
  return system.projects[0];
}
