import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { accountOf, nothing, openQuota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { openAnotherQuota } from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, writeTransaction } from '#lib/table/transaction.ts';
import { findProfile } from '#lib/users/profile-store.ts';

/**
 * Makes a welcomed user a member by a group, with a quota of nothing, unless they have a quota
 * already.
 */
export async function admitByGroup(
  table: Table,
  { user, project }: { readonly user: UserId; readonly project: Project },
  at: Date,
): Promise<void> {
  const account = accountOf({ user, project });
  await decideUntilWritten(async () => {
    if (await readQuota(table, account)) return;
    const { number, hpc, name, members } = project;
    const place = { id: await takeNumbers(table, 'quota'), user, project: { number, hpc, name } };
    const opened = openQuota(place, nothing, { throughGroup: true });
    await writeTransaction(table, [
      ...openAnotherQuota(await findProfile(table, user), opened, at).steps,
      writeLedgerLine({
        ...account,
        kind: 'grant',
        ...nothing,
        at,
        by: 'slipway',
        reason: `member by the group ${members?.group}`,
      }),
    ]);
  });
}
