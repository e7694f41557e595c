import type { KnownUser } from '#lib/users/user-directory.ts';
import { timestamp } from './values/timestamp.ts';

export function presentUser({ user, subject, firstSeen, bans }: KnownUser) {
  return {
    user,
    ...(subject !== undefined && { subject }),
    first_seen: timestamp(firstSeen),
    banned: bans.everywhere ?? null,
    bans: bans.projects.map(({ hpc, project, reason }) => ({
      project_hpc: hpc.toUpperCase(),
      project_name: project,
      reason,
    })),
  };
}
