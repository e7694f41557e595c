import { catalog } from '#lib/catalog/catalog.ts';
import { readMailSettings } from '#lib/config.ts';
import { mailStatements } from '#lib/mail/mail-statements.ts';
import { attendQuotas } from '#lib/quotas/ends/attend-quotas.ts';
import { beginRun } from '#lib/time/time-left.ts';
import { table } from '../table.ts';

/** Ends and renews quotas that are due. Then tells leaders of the statements of the last month. */
export async function handler(
  _event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const time = beginRun(() => context.getRemainingTimeInMillis());
  try {
    await attendQuotas(table);
  } finally {
    if (readMailSettings()) await mailStatements(table, catalog, time);
  }
}
