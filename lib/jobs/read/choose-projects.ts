import type { Catalog } from '#lib/catalog/catalog.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import { projectKeyOf } from '#lib/projects/opened-project.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { AllJobsList } from './job-list.ts';

/** The projects that a list goes over, with those that were opened at run time. */
export async function chooseProjects(
  table: Table,
  { systems }: Catalog,
  { hpc, project }: AllJobsList,
): Promise<ProjectKey[]> {
  if (hpc !== undefined && project !== undefined) return [{ hpc, project }];
  const wanted = systems.filter(({ name }) => hpc === undefined || name === hpc);
  return (await listProjects(table, wanted)).map(projectKeyOf);
}
