import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { changeOf } from '#lib/table/change.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { profileKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import type { UserBans } from './bans.ts';
import { UserNotFoundError } from './errors.ts';
import { newProfileToItem, type Profile, profileFromItem, projectBansToItem } from './profile.ts';

export function readProfile(table: Table, user: UserId): Promise<Profile | undefined> {
  return readItem(table, profileKey(user), profileFromItem);
}

export async function findProfile(table: Table, user: UserId): Promise<Profile> {
  const profile = await readProfile(table, user);
  if (!profile) throw new UserNotFoundError(user);
  return profile;
}

/** Creates a profile. Of several simultaneous calls one succeeds, and the others are refused. */
export function createProfile(
  user: UserId,
  firstSeen: Date,
  welcomedOn: readonly SystemName[],
): Step {
  return {
    Put: { Item: newProfileToItem(user, firstSeen, welcomedOn), ...ifMissing },
    refuse: () => new StaleReadError(),
  };
}

/**
 * Goes with every quota that is opened after the first contact. Without it, a ban written at the
 * same moment could miss the new quota. If it is refused, read the profile again.
 */
export function noteNewQuota(profile: Profile): Step {
  return changeProfile(profile, {});
}

/**
 * Goes with the welcome quotas of systems that are new to the user. It replaces noteNewQuota there.
 */
export function noteWelcome(profile: Profile, welcomedOn: readonly SystemName[]): Step {
  return changeProfile(profile, { welcomed_on: welcomedOn });
}

/** Writes the profile's bans. The copies in quotas go into the same transaction. */
export function saveBans(profile: Profile, bans: UserBans): Step {
  return changeProfile(profile, {
    project_bans: projectBansToItem(bans),
    banned: bans.everywhere,
  });
}

function changeProfile({ user, revision }: Profile, set: Attributes): Step {
  return {
    Update: changeOf(profileKey(user), {
      set: { revision: revision + 1, ...set },
      expect: { revision: revision === 0 ? undefined : revision },
      when: ['attribute_exists(PK)'],
    }),
    refuse: () => new StaleReadError(),
  };
}
