import type { Profile } from '#lib/users/profile.ts';
import { timestamp } from './values/timestamp.ts';

export function presentUser({ user, firstSeen, bans }: Profile) {
  return {
    user,
    first_seen: timestamp(firstSeen),
    banned: bans.everywhere ?? null,
    bans: bans.projects.map(({ hpc, project, reason }) => ({
      project_hpc: hpc.toUpperCase(),
      project_name: project,
      reason,
    })),
  };
}
