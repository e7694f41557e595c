import { readEnvironment, TableEnvironment } from '#lib/config.ts';
import { attendQuotas } from '#lib/quotas/attend-quotas.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);

/** Ends and renews quotas that are due. */
export async function handler(): Promise<void> {
  await attendQuotas(table);
}
