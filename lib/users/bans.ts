import type { ProjectKey } from '#lib/table/keys.ts';

export interface UserBans {
  /** The reason why the user may not submit anywhere. */
  readonly everywhere?: string | undefined;
  readonly projects: readonly ProjectBan[];
}

interface ProjectBan extends ProjectKey {
  readonly reason: string;
}

/** The bans that a quota carries. A submission checks only these. */
export interface QuotaBans {
  readonly here?: string | undefined;
  readonly everywhere?: string | undefined;
}

export function bansInProject({ everywhere, projects }: UserBans, project: ProjectKey): QuotaBans {
  const here = projects.find((ban) => isSameProject(ban, project))?.reason;
  return {
    ...(here !== undefined && { here }),
    ...(everywhere !== undefined && { everywhere }),
  };
}

/** Adds a ban. It replaces an earlier ban of the same kind. */
export function addBan(bans: UserBans, from: ProjectKey | undefined, reason: string): UserBans {
  if (!from) return { ...bans, everywhere: reason };
  const { hpc, project } = from;
  const others = bans.projects.filter((ban) => !isSameProject(ban, from));
  return { ...bans, projects: [...others, { hpc, project, reason }] };
}

export function liftBan(bans: UserBans, from: ProjectKey | undefined): UserBans {
  const { everywhere, projects } = bans;
  if (!from) return { projects };
  return {
    ...(everywhere !== undefined && { everywhere }),
    projects: projects.filter((ban) => !isSameProject(ban, from)),
  };
}

/** Returns the reason of the ban from a project, or from everything if none is named. */
export function findBan(bans: UserBans, from: ProjectKey | undefined): string | undefined {
  return from ? bansInProject(bans, from).here : bans.everywhere;
}

function isSameProject(a: ProjectKey, b: ProjectKey): boolean {
  return a.hpc === b.hpc && a.project === b.project;
}
