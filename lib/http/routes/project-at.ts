import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { ProjectName, SystemName } from '#lib/catalog/identifiers.ts';
import { listProjects } from '#lib/projects/list-projects.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import type { PathOf } from './route.ts';

type WholePath = PathOf<'/{hpc}/{project_name}/'>;
type AnyPath = PathOf<'/[{hpc}/[{project_name}/]]'>;

/** Selects one project, all projects of a system, or all. */
export interface AnyProject {
  readonly hpc: SystemName | undefined;
  readonly project: ProjectName | undefined;
}

/** Returns the names of the system and project in a path, undefined if the path leaves them out. */
export function projectAt(path: WholePath): ProjectKey;
export function projectAt(path: AnyPath): AnyProject;
export function projectAt({ hpc, project_name: project }: AnyPath): AnyProject {
  return { hpc: hpc?.name, project: project?.name };
}

/** Returns the projects that a path selects: one, those of a system, or all. */
export async function projectsAt(
  table: Table,
  { systems }: Catalog,
  { hpc, project_name: project }: AnyPath,
): Promise<Project[]> {
  return project ? [project] : listProjects(table, hpc ? [hpc] : systems);
}
