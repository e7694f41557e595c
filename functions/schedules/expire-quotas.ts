import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { expireQuotas } from '#lib/quotas/expiry/expire-quotas.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

/** Warns of the end of quotas, and takes back what is left of those that have ended. */
export async function handler(): Promise<void> {
  await expireQuotas(table);
}
