import { findProject, projectOfCatalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { OpenedProject } from '#lib/projects/opened-project.ts';

export type KnownProjects = ReturnType<typeof knowProjects>;

/** Knows the projects that a line may refer to: from the catalog, the table, or an earlier line. */
export function knowProjects(there: readonly OpenedProject[]) {
  const opened = [...there];
  return {
    find: (system: HpcSystem, name: string): Project =>
      opened.find((each) => each.hpc === system.name && each.name === name) ??
      findProject(system, name),
    /** Adds the project of a line, so that jobs and quotas on later lines may refer to it. */
    add(system: HpcSystem, project: OpenedProject) {
      const { number, hpc, name } = project;
      if (projectOfCatalog(system, name)) {
        throw new Error(`project_name: '${name}' is in the catalog, and not opened at run time`);
      }
      // Keep the known project. The import later reports how the line differs from it.
      if (opened.some((each) => each.hpc === hpc && each.name === name)) return project;
      const other = opened.find((each) => each.number === number);
      if (other) {
        throw new Error(
          `id ${number} is that of the project ${other.hpc}/${other.name}; give it another one`,
        );
      }
      opened.push(project);
      return project;
    },
  };
}
