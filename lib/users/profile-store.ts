import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
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
  return changeProfile(profile, '', {});
}

/**
 * Goes with the welcome quotas of systems that are new to the user. It replaces noteNewQuota there.
 */
export function noteWelcome(profile: Profile, welcomedOn: readonly SystemName[]): Step {
  return changeProfile(profile, ', welcomed_on = :systems', { ':systems': welcomedOn });
}

/** Writes the profile's bans. The copies in quotas go into the same transaction. */
export function saveBans(profile: Profile, bans: UserBans): Step {
  const { everywhere } = bans;
  const change = everywhere === undefined ? ' REMOVE banned' : ', banned = :everywhere';
  return changeProfile(profile, `, project_bans = :projects${change}`, {
    ':projects': projectBansToItem(bans),
    ...(everywhere !== undefined && { ':everywhere': everywhere }),
  });
}

function changeProfile(
  { user, revision }: Profile,
  change: string,
  values: Readonly<Record<string, unknown>>,
): Step {
  return {
    Update: {
      Key: profileKey(user),
      UpdateExpression: `SET revision = :next${change}`,
      ConditionExpression:
        revision === 0
          ? 'attribute_exists(PK) AND attribute_not_exists(revision)'
          : 'revision = :seen',
      ExpressionAttributeValues: {
        ':next': revision + 1,
        ...(revision > 0 && { ':seen': revision }),
        ...values,
      },
    },
    refuse: () => new StaleReadError(),
  };
}
