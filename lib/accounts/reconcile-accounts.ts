import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { AccountKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { judgeAccount, OutOfTimeError, readAccount, type Verdict } from './judge-account.ts';
import { repairAccount } from './repair-account.ts';

/** The result for one account, and whether it was repaired. */
export interface Finding {
  readonly account: AccountKey;
  readonly verdict: Verdict;
  readonly repaired: boolean;
}

/** How many accounts are read in parallel. */
export const accountsAtATime = 16;

interface ReconcileOrder {
  readonly fix: boolean;
  /** The longest time for one account, if it is limited. */
  readonly accountMs?: number;
  readonly clock?: () => number;
}

/** Checks accounts in order, and repairs drift if asked to. */
export async function reconcileAccounts(
  table: Table,
  accounts: readonly AccountKey[],
  order: ReconcileOrder,
): Promise<Finding[]> {
  return mapInParallel(accounts, accountsAtATime, (account) => reconcile(table, account, order));
}

async function reconcile(
  table: Table,
  account: AccountKey,
  { fix, accountMs = Number.POSITIVE_INFINITY, clock = Date.now }: ReconcileOrder,
): Promise<Finding> {
  const stopAt = clock() + accountMs;
  const checkTime = () => {
    if (clock() > stopAt) throw new OutOfTimeError();
  };
  const verdict = await judgeAccount(table, account, () => readAccount(table, account, checkTime));
  if (!fix || verdict.state !== 'drifting') return { account, verdict, repaired: false };
  const repaired = await repairAccount(table, account, verdict.repair, new Date());
  return repaired
    ? { account, verdict, repaired }
    : { account, verdict: { state: 'busy' }, repaired: false };
}

/** Explains what is wrong with an account, one line each. */
export function explainFinding({ verdict }: Finding): string[] {
  switch (verdict.state) {
    case 'drifting':
      return verdict.repair.drifts.map(({ words }) => words);
    case 'damaged':
      return [verdict.reason];
    default:
      return [];
  }
}
