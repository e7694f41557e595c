import { readHolds } from '#lib/jobs/read/read-holds.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { walkLedger } from '#lib/quotas/read-ledger.ts';
import type { AccountFacts } from '#lib/quotas/reconcile.ts';
import { type AccountKey, ledgerRange } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';

/** One reading of an account. Its parts are read one after another, and not of one moment. */
export interface AccountReading extends AccountFacts {
  /** How many lines the ledger had at its end. */
  readonly lines: number;
}

/**
 * The quota, its jobs and its ledger, strongly consistent, and the ledger last: whatever changed
 * before has its line there. The cost grows with the user's jobs in the project and with the lines;
 * `checkTime` is called again and again, and may throw.
 */
export async function readAccount(
  table: Table,
  account: AccountKey,
  checkTime: () => void = () => undefined,
): Promise<AccountReading | undefined> {
  const quota = await readQuota(table, account);
  if (!quota) return undefined;
  const holds = await readHolds(table, account, checkTime);
  return { quota, holds, ...(await sumLedger(table, account, checkTime)) };
}

async function sumLedger(table: Table, account: AccountKey, checkTime: () => void) {
  let [seconds, kilobytes, lines] = [0, 0, 0];
  for await (const line of walkLedger(table, account, ledgerRange())) {
    checkTime();
    seconds += line.seconds;
    kilobytes += line.kilobytes;
    lines += 1;
  }
  return { ledger: { seconds, kilobytes }, lines };
}
