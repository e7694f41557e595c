import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { type PrimaryKey, subjectKey, userNumberKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import { StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import type { Identity } from './identity.ts';

/** Stored twice: the number by subject, and the subject by number. */
const IdentityItem = v.object({
  type: v.literal('identity'),
  schema_version: v.literal(1),
  issuer: v.string(),
  subject: v.string(),
  user: StoredUserId,
  assigned_at: v.string(),
});

export function readUserOf(table: Table, identity: Identity): Promise<UserId | undefined> {
  return readItem(table, keyOf(identity), (stored) => parseItem(IdentityItem, stored).user);
}

export async function readSubjects(
  table: Table,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const items = await readItems(table, users.map(subjectKey));
  return new Map(
    items.map((stored) => {
      const { user, subject } = parseItem(IdentityItem, stored);
      return [user, subject];
    }),
  );
}

/**
 * The conditions guarantee one number per identity and one identity per number, even at the same
 * moment.
 */
export function keepIdentity(identity: Identity, user: UserId, at: Date): Step[] {
  const item = {
    type: 'identity',
    schema_version: 1,
    ...identity,
    user,
    assigned_at: at.toISOString(),
  } satisfies v.InferInput<typeof IdentityItem>;
  return [keyOf(identity), subjectKey(user)].map((key) => ({
    Put: { Item: { ...key, ...item }, ...ifMissing },
    refuse: () => new StaleReadError(),
  }));
}

/**
 * Hashes the identity, because a subject may be long and contain any character. JSON separates
 * issuer and subject, so one cannot imitate the other.
 */
function keyOf({ issuer, subject }: Identity): PrimaryKey {
  const hash = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex');
  return userNumberKey(hash);
}
