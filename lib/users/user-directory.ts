import type { UserId } from '#lib/catalog/identifiers.ts';
import { profileKey, userRegistry } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/page.ts';
import { readItems } from '#lib/table/reads.ts';
import { readRegistry } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { readSubjects, readUserOf } from './identity-store.ts';
import { findUsers } from './person-store.ts';
import { type Profile, profileFromItem } from './profile.ts';
import { findProfile, readProfile } from './profile-store.ts';

export interface KnownUser extends Profile {
  /**
   * The issuer's name for the user, if the service assigns numbers; null if the number is the
   * issuer's.
   */
  readonly subject?: string | null;
}

/**
 * Opens the users that the service has seen. `namedBy` is the issuer whose subjects have assigned
 * numbers.
 */
export function openUserDirectory(table: Table, namedBy?: string) {
  async function addSubjects(profiles: readonly Profile[]): Promise<readonly KnownUser[]> {
    if (namedBy === undefined) return profiles;
    const users = profiles.map(({ user }) => user);
    const subjects = await readSubjects(table, users);
    return profiles.map((profile) => ({ ...profile, subject: subjects.get(profile.user) ?? null }));
  }

  return {
    async list(limit: number, after?: UserId) {
      const { entries, next } = await listUsers(table, limit, after);
      return { entries: await addSubjects(entries), next };
    },

    async find(user: UserId): Promise<KnownUser> {
      const profile = await findProfile(table, user);
      const [known = profile] = await addSubjects([profile]);
      return known;
    },

    async search(text: string, limit: number): Promise<readonly KnownUser[]> {
      const users = await findUsers(table, text, limit);
      const profiles = await readItems(table, users.map(profileKey));
      return addSubjects(profiles.map(profileFromItem));
    },

    /** Finds only users with a profile, which is created at the first contact. */
    async findBySubject(subject: string): Promise<KnownUser[]> {
      if (namedBy === undefined) return [];
      const user = await readUserOf(table, { issuer: namedBy, subject });
      const profile = user && (await readProfile(table, user));
      return profile ? [{ ...profile, subject }] : [];
    },
  };
}

/**
 * Lists users by number. The index says who exists and may lag a moment; each profile is read from
 * the table itself. At most 100 at once. The cost depends on the page alone.
 */
export async function listUsers(
  table: Table,
  limit: number,
  after?: UserId,
): Promise<Page<Profile, UserId>> {
  const { users: names, goesOn } = await readRegistry(table, userRegistry, limit, after);
  const profiles = await readItems(table, names.map(profileKey));
  return {
    entries: profiles.map(profileFromItem),
    next: goesOn ? names.at(-1) : undefined,
  };
}
