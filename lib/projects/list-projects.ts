import { projectOfCatalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import { readOpenedProjects } from './opened-project-store.ts';

/**
 * Lists the projects of systems, system by system: those of the catalog, then those opened at run
 * time in that order. If a project is in both, the catalog's counts.
 */
export async function listProjects(
  table: Table,
  systems: readonly HpcSystem[],
): Promise<Project[]> {
  const opened = await readOpenedProjects(table);
  return systems.flatMap((system) => [
    ...system.projects,
    ...opened.filter(
      ({ hpc, name }) => hpc === system.name && projectOfCatalog(system, name) === undefined,
    ),
  ]);
}
