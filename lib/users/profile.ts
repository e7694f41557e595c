import * as v from 'valibot';
import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import {
  attribute,
  defineItem,
  group,
  list,
  moment,
  number,
  optional,
  type Stored,
  sparse,
  text,
} from '#lib/table/define-item.ts';
import { profileKey, profileRegistryKeys } from '#lib/table/keys.ts';
import { projectKeyFields, userField } from '#lib/table/named-fields.ts';
import { StoredSystemName } from '#lib/table/stored-names.ts';
import type { UserBans } from './bans.ts';

/** A user whom the service has seen, with their bans. */
const storedProfile = defineItem('profile', () => ({
  user: userField(),
  firstSeen: moment('first_seen'),
  /** As the identity provider says them (person-store.ts). */
  name: optional(text('name')),
  email: optional(text('email')),
  /** When an administrator erased what was kept about the person (lib/people). */
  erasedAt: optional(moment('erased_at')),
  bans: group({
    everywhere: optional(text('banned')),
    projects: optional(list('project_bans', { ...projectKeyFields(), reason: text('reason') })),
  }),
  /**
   * The systems on which the user got a welcome quota, even if it was removed since. Missing in old
   * profiles.
   */
  welcomedOn: optional(attribute('welcomed_on', v.array(StoredSystemName))),
  /**
   * Increases with every changed ban and every opened quota. A ban applies to all quotas of a user,
   * so a writer must know that nothing came in between.
   */
  revision: sparse(number('revision'), 0),
}));

export interface Profile extends Stored<typeof storedProfile> {
  readonly bans: UserBans;
}

/** Writes the profile of a new user, who cannot be banned yet. */
export function newProfileToItem(user: UserId, firstSeen: Date, systems: readonly SystemName[]) {
  const profile = { user, firstSeen, bans: {}, welcomedOn: [...systems], revision: 0 };
  return { ...profileKey(user), ...profileRegistryKeys(user), ...storedProfile.format(profile) };
}

export function profileFromItem(stored: unknown): Profile {
  const { bans, ...profile } = storedProfile.parse(stored);
  return { ...profile, bans: { ...bans, projects: bans.projects ?? [] } };
}

export function projectBansToItem(bans: UserBans): unknown {
  return storedProfile.formatPart({ bans }).project_bans;
}
