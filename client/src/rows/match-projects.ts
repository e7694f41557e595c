import type { Project } from '../generated/operations.ts';

export interface ProjectPlace {
  readonly hpc: string;
  readonly project_name: string;
}

/** A place that may be a whole system, or all systems. */
export interface PartialPlace {
  readonly hpc?: string | undefined;
  readonly project_name?: string | undefined;
}

/**
 * Finds projects by name, by `hpc_one/name` if two systems have one of that name, or by the name of
 * a system for its default project. Returns several if the name is ambiguous.
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
