import type { UserId } from '#lib/catalog/identifiers.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import { shareTable } from '#lib/table/share-table.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { type Identity, makeUserId } from './identity.ts';
import { keepIdentity, readUserOf } from './identity-store.ts';

/**
 * Assigns numbers to an issuer's subjects. Bundles of a deployment whose subjects are all numbers
 * leave this out (infra/constructs/functions/stand-ins.ts).
 */
export function openUserNumbers(
  tableName: string,
  issuer: string,
): (subject: string) => Promise<UserId> {
  const table = shareTable(tableName);
  return rememberUsers((subject) => assignUser(table, { issuer, subject }));
}

/**
 * Returns the number of an identity, or assigns a new one. Of several simultaneous calls one
 * assigns it and the others find it. The numbers that they took are lost.
 */
export async function assignUser(
  table: Table,
  identity: Identity,
  at = new Date(),
): Promise<UserId> {
  return decideUntilWritten(async () => {
    const known = await readUserOf(table, identity);
    if (known) return known;
    const user = makeUserId(await takeNumbers(table, 'user'));
    await writeTransaction(table, keepIdentity(identity, user, at));
    return user;
  });
}

/** A few megabytes at most, because subjects have up to 255 characters. */
const maxUsers = 10_000;

/**
 * Looks up each subject once per container, even for simultaneous calls, because a number never
 * changes. Failures are not remembered.
 */
export function rememberUsers(
  find: (subject: string) => Promise<UserId>,
  most = maxUsers,
): (subject: string) => Promise<UserId> {
  const remembered = new Map<string, Promise<UserId>>();
  return (subject) => {
    const known = remembered.get(subject);
    if (known) return known;
    const found = find(subject);
    remembered.set(subject, found);
    found.catch(() => {
      if (remembered.get(subject) === found) remembered.delete(subject);
    });
    // A Map keeps insertion order.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > most) remembered.delete(oldest);
    return found;
  };
}
