import type { Project } from '#lib/catalog/hpc-system.ts';

/** Returns true if one of a caller's groups makes the caller a member of the project. */
export function joinsByGroup({
  project: { members },
  groups,
}: {
  readonly project: Project;
  readonly groups: readonly string[];
}): boolean {
  return members !== undefined && groups.includes(members.group);
}
