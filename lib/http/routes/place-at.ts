import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { PathOf } from './route.ts';

type WholePlace = PathOf<'/{hpc}/{project_name}/'>;
type AnyPlace = PathOf<'/[{hpc}/[{project_name}/]]'>;

/** The names of the system and the project that a path leads to, as far as it does. */
export function placeAt(path: WholePlace): { hpc: string; project: string };
export function placeAt(path: AnyPlace): { hpc: string | undefined; project: string | undefined };
export function placeAt({ hpc, project_name: project }: AnyPlace) {
  return { hpc: hpc?.name, project: project?.name };
}

/** The projects below a path: one, those of a system, or all. */
export function projectsAt(
  { systems }: Catalog,
  { hpc, project_name: project }: AnyPlace,
): Project[] {
  if (project) return [project];
  return (hpc ? [hpc] : systems).flatMap((each) => each.projects);
}
