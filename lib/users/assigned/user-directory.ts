import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { listUsers } from '../list-users.ts';
import type { Profile } from '../profile.ts';
import { findProfile, readProfile } from '../profile-store.ts';
import { readSubjects, readUserOf } from './identity-store.ts';

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
