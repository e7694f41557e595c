import type { ProjectKey } from '#lib/table/keys.ts';

export interface UserBans {
  /** Why the user may not submit anywhere. */
  readonly everywhere?: string;
  readonly projects: readonly ProjectBan[];
}

export interface ProjectBan extends ProjectKey {
  readonly reason: string;
}

/** What of a user's bans the quota in one project carries: a submission looks at nothing else. */
export interface QuotaBans {
  readonly here?: string;
  readonly everywhere?: string;
}

export function bansInProject({ everywhere, projects }: UserBans, project: ProjectKey): QuotaBans {
  const here = projects.find((ban) => isSameProject(ban, project))?.reason;
  return {
    ...(here !== undefined && { here }),
    ...(everywhere !== undefined && { everywhere }),
  };
}

/** A second ban of the same kind has the last word; bans of other kinds stay. */
export function addBan(bans: UserBans, from: ProjectKey | undefined, reason: string): UserBans {
  if (!from) return { ...bans, everywhere: reason };
  const { hpc, project } = from;
  const others = bans.projects.filter((ban) => !isSameProject(ban, from));
  return { ...bans, projects: [...others, { hpc, project, reason }] };
}

/** Lifts the one ban; the others stay. */
export function liftBan(bans: UserBans, from: ProjectKey | undefined): UserBans {
  const { everywhere, projects } = bans;
  if (!from) return { projects };
  return {
    ...(everywhere !== undefined && { everywhere }),
    projects: projects.filter((ban) => !isSameProject(ban, from)),
  };
}

/** Why the user may not submit to the project, or anywhere where none is named. */
export function findBan(bans: UserBans, from: ProjectKey | undefined): string | undefined {
  return from ? bansInProject(bans, from).here : bans.everywhere;
}

function isSameProject(a: ProjectKey, b: ProjectKey): boolean {
  return a.hpc === b.hpc && a.project === b.project;
}
