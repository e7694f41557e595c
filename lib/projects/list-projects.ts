import { projectOfCatalog } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import { readOpenedProjects } from './opened-project-store.ts';

/**
 * The projects of systems, system by system: those of the catalog, then those that were opened at
 * run time, in the order in which they were. One that the catalog has since come to name is the
 * catalog's.
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
