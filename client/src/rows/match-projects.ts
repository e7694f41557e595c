import type { Project } from '../generated/operations.ts';

export interface ProjectPlace {
  readonly hpc: string;
  readonly project_name: string;
}

/**
 * A project by its name, by `hpc_one/name` where two systems have one of that name, or the default
 * project of a system by the name of the system. Several where a name is not enough.
 */
export function matchProjects(
  projects: readonly Project[],
  wanted: string,
): readonly ProjectPlace[] {
  const places = projects.map(({ project_hpc: hpc, project_name, default: isDefault }) => ({
    place: { hpc: hpc.toLowerCase(), project_name },
    isDefault,
  }));
  const named = places.filter(({ place }) =>
    [place.project_name, writePlace(place)].includes(wanted),
  );
  const found =
    named.length > 0
      ? named
      : places.filter(({ place, isDefault }) => isDefault && place.hpc === wanted);
  return found.map(({ place }) => place);
}

export function writePlace({ hpc, project_name: name }: ProjectPlace): string {
  return `${hpc}/${name}`;
}
