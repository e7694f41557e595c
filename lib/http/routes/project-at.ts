import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { ProjectName, SystemName } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { PathOf } from './route.ts';

type WholePath = PathOf<'/{hpc}/{project_name}/'>;
type AnyPath = PathOf<'/[{hpc}/[{project_name}/]]'>;

/** What a list is of: one project, those of a system, or all. */
export interface AnyProject {
  readonly hpc: SystemName | undefined;
  readonly project: ProjectName | undefined;
}

/** The names of the system and the project that a path leads to, as far as it does. */
export function projectAt(path: WholePath): ProjectKey;
export function projectAt(path: AnyPath): AnyProject;
export function projectAt({ hpc, project_name: project }: AnyPath): AnyProject {
  return { hpc: hpc?.name, project: project?.name };
}

/** The projects below a path: one, those of a system, or all. */
export async function projectsAt(
  table: Table,
  { systems }: Catalog,
  { hpc, project_name: project }: AnyPath,
): Promise<Project[]> {
  return project ? [project] : listProjects(table, hpc ? [hpc] : systems);
}
