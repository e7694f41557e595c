import { attendQuotas } from '#lib/quotas/ends/attend-quotas.ts';
import { table } from '../table.ts';

/** Ends and renews quotas that are due. */
export async function handler(): Promise<void> {
  await attendQuotas(table);
}
