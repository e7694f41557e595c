import { createHash } from 'node:crypto';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { defineItem, moment, text } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { type PrimaryKey, subjectKey, userNumberKey } from '#lib/table/keys.ts';
import { userField } from '#lib/table/named-fields.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import type { Identity } from './identity.ts';

/** Stored twice: the number by subject, and the subject by number. */
const storedIdentity = defineItem('identity', {
  issuer: text('issuer'),
  subject: text('subject'),
  user: userField(),
  assignedAt: moment('assigned_at'),
});

export function readUserOf(table: Table, identity: Identity): Promise<UserId | undefined> {
  return readItem(table, keyOf(identity), (stored) => storedIdentity.parse(stored).user);
}

export async function readSubjects(
  table: Table,
  users: readonly UserId[],
): Promise<ReadonlyMap<UserId, string>> {
  const items = await readItems(table, users.map(subjectKey));
  const identities = items.map(storedIdentity.parse);
  return new Map(identities.map(({ user, subject }) => [user, subject]));
}

/**
 * The conditions guarantee one number per identity and one identity per number, even at the same
 * moment.
 */
export function keepIdentity(identity: Identity, user: UserId, at: Date): Step[] {
  const item = storedIdentity.format({ ...identity, user, assignedAt: at });
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
