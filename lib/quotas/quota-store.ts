import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, quotaKey, quotaPrefix, userPartition } from '#lib/table/keys.ts';
import { queryPage, readItem, selectPrefix } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { QuotaNotFoundError } from './errors.ts';
import type { Quota } from './quota.ts';
import { quotaFromItem } from './quota-item.ts';

export function readQuota(table: Table, account: AccountKey): Promise<Quota | undefined> {
  return readItem(table, quotaKey(account), quotaFromItem);
}

export async function findQuota(table: Table, account: AccountKey): Promise<Quota> {
  const quota = await readQuota(table, account);
  if (!quota) throw new QuotaNotFoundError(account);
  return quota;
}

/**
 * Reads a user's quotas by project number. There is at most one per project, so one page holds
 * them.
 */
export async function readQuotas(table: Table, user: UserId, hpc?: SystemName): Promise<Quota[]> {
  const quotas = selectPrefix({ PK: userPartition(user), prefix: quotaPrefix(hpc) });
  const { Items } = await queryPage(table, quotas);
  return Items.map(quotaFromItem).sort((a, b) => a.project.number - b.project.number);
}
