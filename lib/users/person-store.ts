import type { UserId } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { changeOf } from '#lib/table/change.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import {
  nameStartKey,
  nameStartRegistryKeys,
  peopleRegistry,
  profileKey,
  userOfPartition,
} from '#lib/table/keys.ts';
import { readRegistryPrefix } from '#lib/table/registry.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { foldSearch, listStarts } from './name-words.ts';
import type { Person } from './person.ts';
import type { Profile } from './profile.ts';
import { readProfile } from './profile-store.ts';

/** More users than one container meets in a day. */
const mostRemembered = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Longer than a sign-in lasts anywhere, so none that is still open brings an erased name back. */
const namelessDays = 30;

/**
 * Keeps what tokens say about their users. A process looks once a day at what it is told about a
 * user, so further requests cost nothing. Nobody is refused for their name.
 */
export function openPersonNotes(table: Table, now = () => Date.now()) {
  const memory = createShortMemory<true>({ most: mostRemembered, maxAgeMs: dayMs, now });
  return async (user: UserId, { name, email }: Person): Promise<void> => {
    if (name === undefined && email === undefined) return;
    const told = JSON.stringify([user, name, email]);
    if (memory.recall(told)) return;
    // Kept before the await: on a laptop the next call arrives in the meantime.
    memory.keep(told, true);
    try {
      await keepPerson(table, user, { name, email }, new Date(now()));
    } catch (error) {
      logger.warn('the name of a user was not kept', { user, error });
    }
  };
}

/** What a token does not say stays as it was: the tokens of another client may say less. */
export async function keepPerson(
  table: Table,
  user: UserId,
  told: Person,
  now = new Date(),
): Promise<void> {
  await decideUntilWritten(async () => {
    const profile = await readProfile(table, user);
    if (!profile || namesReturn(profile) > now) return;
    const { name = profile.name, email = profile.email } = told;
    if (name === profile.name && email === profile.email) return;
    await writeTransaction(table, changePerson(profile, { name, email }));
  });
}

/** Returns from when names of tokens are kept. It lies in the past if nobody erased them. */
export function namesReturn({ erasedAt }: Pick<Profile, 'erasedAt'>): Date {
  return new Date(erasedAt ? erasedAt.getTime() + namelessDays * dayMs : 0);
}

/** Takes away the name, the address and what they are found by. */
export function forgetPerson(profile: Profile, at: Date): Step[] {
  return changePerson(profile, {}, { erased_at: at.toISOString() });
}

/** Writes the profile and the beginnings that it is found by. Refused if somebody else has. */
function changePerson(profile: Profile, { name, email }: Person, further: Attributes = {}): Step[] {
  const { user } = profile;
  const refuse = () => new StaleReadError();
  const [before, after] = [listStarts(profile), listStarts({ name, email })];
  const gone = before.filter((start) => !after.includes(start));
  const added = after.filter((start) => !before.includes(start));
  return [
    {
      Update: changeOf(profileKey(user), {
        set: { name, email, ...further },
        expect: { name: profile.name, email: profile.email },
        when: ['attribute_exists(PK)'],
      }),
      refuse,
    },
    ...gone.map((start) => ({ Delete: { Key: nameStartKey(user, start) }, refuse })),
    ...added.map((start) => ({ Put: { Item: nameStartItem(user, start) }, refuse })),
  ];
}

function nameStartItem(user: UserId, start: string) {
  const keys = { ...nameStartKey(user, start), ...nameStartRegistryKeys(user, start) };
  return { ...keys, type: 'name-start', schema_version: 1, user };
}

/**
 * Finds users whose name or mail address begins so, in the order of what was found. The index may
 * lag a moment. The cost depends on the limit alone.
 */
export async function findUsers(table: Table, text: string, limit: number): Promise<UserId[]> {
  const start = foldSearch(text);
  if (start === '') return [];
  const keys = await readRegistryPrefix(table, peopleRegistry, start, limit);
  return [...new Set(keys.map(({ PK }) => userOfPartition(PK)))];
}
