import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { NotMemberError } from '#lib/quotas/errors.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { accountOf, nothing, openQuota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { openAnotherQuota, welcomeUser } from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import { joinsByGroup } from './joins-by-group.ts';

interface Joining {
  readonly user: UserId;
  readonly project: Project;
  /** The groups in the caller's token. */
  readonly groups: readonly string[];
}

/**
 * Makes a member of everybody who has the group of a project, with a quota of nothing, and refuses a
 * member by the group whose token no longer has it. Reads nothing for a project without a group.
 */
export async function admitMember(
  table: Table,
  catalog: Catalog,
  { user, project, groups }: Joining,
  at = new Date(),
): Promise<void> {
  const group = project.members?.group;
  if (group === undefined) return;
  const account = accountOf({ user, project });
  const hasGroup = joinsByGroup({ project, groups });
  const quota = await readQuota(table, account);
  if (quota?.throughGroup && !hasGroup) throw new NotMemberError(account, group);
  if (quota || !hasGroup) return;
  await welcomeUser(table, catalog, user, at);
  await decideUntilWritten(async () => {
    if (await readQuota(table, account)) return;
    const { number, hpc, name } = project;
    const place = { id: await takeNumbers(table, 'quota'), user, project: { number, hpc, name } };
    const opened = openQuota(place, nothing, { throughGroup: true });
    await writeTransaction(table, [
      ...openAnotherQuota(await findProfile(table, user), opened, at),
      writeLedgerLine({
        ...account,
        kind: 'grant',
        ...nothing,
        at,
        by: 'slipway',
        reason: `member by the group ${group}`,
      }),
    ]);
  });
}
