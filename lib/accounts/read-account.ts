import { readHolds } from '../jobs/read-holds.ts';
import type { AccountFacts } from '../quotas/check-account.ts';
import { type QuotaPlace, readQuota } from '../quotas/quota-store.ts';
import { walkLedger } from '../quotas/walk-ledger.ts';
import { ledgerRange } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** One reading of an account. Its parts are read one after another, and not of one moment. */
export interface AccountReading extends AccountFacts {
  /** How many lines the ledger had at its end. */
  readonly lines: number;
}

/**
 * The quota, its jobs and its ledger, strongly consistent, and the ledger last: whatever changed
 * before has its line there. The cost grows with the user's jobs in the project and with the lines.
 */
export async function readAccount(
  table: Table,
  place: QuotaPlace,
): Promise<AccountReading | undefined> {
  const quota = await readQuota(table, place);
  if (!quota) return undefined;
  const { user: owner, hpc, project } = place;
  const holds = await readHolds(table, { owner, hpc, project });
  return { quota, holds, ...(await sumLedger(table, place)) };
}

async function sumLedger(table: Table, place: QuotaPlace) {
  let [seconds, kilobytes, lines] = [0, 0, 0];
  for await (const line of walkLedger(table, place, ledgerRange())) {
    seconds += line.seconds;
    kilobytes += line.kilobytes;
    lines += 1;
  }
  return { ledger: { seconds, kilobytes }, lines };
}
