import type { UserId } from '#lib/catalog/identifiers.ts';
import { shareTable } from '#lib/table/share-table.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { type Identity, makeUserId } from './identity.ts';
import { keepIdentity, readUserOf } from './identity-store.ts';

/**
 * The numbers of an issuer's subjects, as the functions ask for them. Bundles of a deployment whose
 * users all have numbers of their own are without it (infra/constructs/functions/stand-ins.ts).
 */
export function openUserNumbers(
  tableName: string,
  issuer: string,
): (subject: string) => Promise<UserId> {
  const table = shareTable(tableName);
  return rememberUsers((subject) => assignUser(table, { issuer, subject }));
}

/**
 * The number of an identity: the one that it has, or else a new one, which is its own from then on.
 * Of any number of calls at the same moment one gives it, and the others find it; the numbers that
 * they took are lost.
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

/** Some megabytes at most: subjects have up to 255 characters. */
const maxUsers = 10_000;

/**
 * Asks for each subject once while the container lives, also where several ask at the same moment:
 * a number never becomes another. What failed is not remembered.
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
    // A map keeps the order in which its keys came.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > most) remembered.delete(oldest);
    return found;
  };
}
