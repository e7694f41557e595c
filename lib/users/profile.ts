import type { UserId } from '#lib/catalog/identifiers.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** Whom the service has seen, and why they may not submit. */
export interface Profile {
  readonly user: UserId;
  readonly firstSeen: Date;
  readonly bans: UserBans;
  /**
   * One more with every ban that changes and every quota that is opened: a ban reaches all quotas
   * of a user, so whoever writes one must know that no other came in between.
   */
  readonly revision: number;
}

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

export function bansInProject({ everywhere, projects }: UserBans, place: ProjectKey): QuotaBans {
  const here = projects.find((ban) => isSamePlace(ban, place))?.reason;
  return {
    ...(here !== undefined && { here }),
    ...(everywhere !== undefined && { everywhere }),
  };
}

/** A second ban of the same kind has the last word; bans of other kinds stay. */
export function addBan(bans: UserBans, place: ProjectKey | undefined, reason: string): UserBans {
  if (!place) return { ...bans, everywhere: reason };
  const { hpc, project } = place;
  const others = bans.projects.filter((ban) => !isSamePlace(ban, place));
  return { ...bans, projects: [...others, { hpc, project, reason }] };
}

/** Lifts the one ban; the others stay. */
export function liftBan(bans: UserBans, place: ProjectKey | undefined): UserBans {
  const { everywhere, projects } = bans;
  if (!place) return { projects };
  return {
    ...(everywhere !== undefined && { everywhere }),
    projects: projects.filter((ban) => !isSamePlace(ban, place)),
  };
}

/** Why the user may not submit there, or anywhere where no place is named. */
export function findBan(bans: UserBans, place: ProjectKey | undefined): string | undefined {
  return place ? bansInProject(bans, place).here : bans.everywhere;
}

function isSamePlace(a: ProjectKey, b: ProjectKey): boolean {
  return a.hpc === b.hpc && a.project === b.project;
}
