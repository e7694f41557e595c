import type { UserId } from '#lib/catalog/identifiers.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { assignUser } from './assign-user.ts';
import { rememberUsers } from './remember-users.ts';

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
