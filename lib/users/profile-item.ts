import * as v from 'valibot';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { profileKey, profileRegistryKeys } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredProjectName, StoredSystemName, StoredUserId } from '#lib/table/stored-names.ts';
import type { UserBans } from './bans.ts';
import type { Profile } from './profile.ts';

const ProfileItem = v.object({
  type: v.literal('profile'),
  schema_version: v.literal(1),
  user: StoredUserId,
  first_seen: v.string(),
  banned: v.optional(v.string()),
  project_bans: v.optional(
    v.array(
      v.object({ hpc: StoredSystemName, project_name: StoredProjectName, reason: v.string() }),
    ),
    [],
  ),
  welcomed_on: v.optional(v.array(StoredSystemName)),
  revision: v.optional(v.number(), 0),
});

/** Nobody is banned before being seen. */
export function newProfileToItem(user: UserId, firstSeen: Date, welcomedOn: readonly SystemName[]) {
  return {
    ...profileKey(user),
    ...profileRegistryKeys(user),
    type: 'profile',
    schema_version: 1,
    user,
    first_seen: firstSeen.toISOString(),
    welcomed_on: [...welcomedOn],
  } satisfies v.InferInput<typeof ProfileItem> & ReturnType<typeof profileKey>;
}

export function profileFromItem(stored: unknown): Profile {
  const item = parseItem(ProfileItem, stored);
  return {
    user: item.user,
    firstSeen: new Date(item.first_seen),
    bans: {
      ...(item.banned !== undefined && { everywhere: item.banned }),
      projects: item.project_bans.map(({ hpc, project_name: project, reason }) => ({
        hpc,
        project,
        reason,
      })),
    },
    welcomedOn: item.welcomed_on,
    revision: item.revision,
  };
}

export function projectBansToItem({ projects }: UserBans) {
  return projects.map(({ hpc, project, reason }) => ({ hpc, project_name: project, reason }));
}
