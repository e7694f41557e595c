import type { UserId } from '#lib/catalog/identifiers.ts';
import { profileKey, userRegistry } from '#lib/table/keys.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import { readRegistry } from '#lib/table/reads/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { readSubjects, readUserOf } from './identity-store.ts';
import type { Profile } from './profile.ts';
import { profileFromItem } from './profile-item.ts';
import { findProfile, readProfile } from './profile-store.ts';

/** A user as administrators see one. */
export interface KnownUser extends Profile {
  /** What the issuer calls the user, where the service gives the numbers; null of the issuer's own. */
  readonly subject?: string | null;
}

/** Whom the service has seen, by the names of an issuer where it gives its users their numbers. */
export function openUserDirectory(table: Table, namedBy?: string) {
  async function addSubjects(profiles: readonly Profile[]): Promise<readonly KnownUser[]> {
    if (namedBy === undefined) return profiles;
    const users = profiles.map(({ user }) => user);
    const subjects = await readSubjects(table, users);
    return profiles.map((profile) => ({ ...profile, subject: subjects.get(profile.user) ?? null }));
  }

  return {
    async list(limit: number, after?: UserId) {
      const { users, next } = await listUsers(table, limit, after);
      return { users: await addSubjects(users), next };
    },

    async find(user: UserId): Promise<KnownUser> {
      const profile = await findProfile(table, user);
      const [known = profile] = await addSubjects([profile]);
      return known;
    },

    /** Nobody who has only been given a number: a profile comes with the first contact. */
    async findBySubject(subject: string): Promise<KnownUser[]> {
      if (namedBy === undefined) return [];
      const user = await readUserOf(table, { issuer: namedBy, subject });
      const profile = user && (await readProfile(table, user));
      return profile ? [{ ...profile, subject }] : [];
    },
  };
}

interface UserPage {
  readonly users: readonly Profile[];
  /** The user behind whom the list goes on, where it does. */
  readonly next: UserId | undefined;
}

/**
 * In the order of their numbers. The registry, which may be a moment behind, says who there is;
 * what is said of each is read from the table itself. At most 100 at once, at the cost of the page.
 */
export async function listUsers(table: Table, limit: number, after?: UserId): Promise<UserPage> {
  const { users: names, goesOn } = await readRegistry(table, userRegistry, limit, after);
  const profiles = await readItems(table, names.map(profileKey));
  return {
    users: profiles.map(profileFromItem),
    next: goesOn ? names.at(-1) : undefined,
  };
}
