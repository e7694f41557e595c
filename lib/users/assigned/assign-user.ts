import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { writeTransaction } from '#lib/table/writes/transaction.ts';
import { type Identity, makeUserId } from './identity.ts';
import { keepIdentity, readUserOf } from './identity-store.ts';

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
