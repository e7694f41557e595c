import { randomUUID } from 'node:crypto';
import { type Act, listChanges } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import { AccountChangedError } from '#lib/quotas/errors.ts';
import { writeLedgerLine } from '#lib/quotas/ledger.ts';
import { type Balance, subjectOf } from '#lib/quotas/quota.ts';
import type { Numbers, Repair } from '#lib/quotas/reconcile.ts';
import { changeOf } from '#lib/table/change.ts';
import { type AccountKey, quotaKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';

const longestReason = 500;

/**
 * Repairs an account in one transaction, if the quota's numbers are still those that were read.
 * Changes since then that kept all of them kept the drift, too. Returns false if the account has
 * changed, so it must be checked again.
 */
export async function repairAccount(
  table: Table,
  account: AccountKey,
  repair: Repair,
  now: Date,
): Promise<boolean> {
  const act: Act = {
    id: randomUUID(),
    kind: 'quota-corrected',
    at: now,
    by: 'slipway',
    reason: explainRepair(repair),
    subject: subjectOf(account),
    details: listChanges(listNumbers(repair.before), listNumbers(repair.after)),
  };
  try {
    await writeTransaction(table, [
      replaceNumbers(account, repair),
      writeLedgerLine({
        ...account,
        kind: 'correction',
        ...repair.correction,
        at: now,
        by: act.by,
        reason: act.reason,
        actId: act.id,
      }),
      recordAct(act),
    ]);
    return true;
  } catch (error) {
    if (error instanceof AccountChangedError) return false;
    throw error;
  }
}

function replaceNumbers(account: AccountKey, { before, after }: Repair): Step {
  return {
    Update: changeOf(quotaKey(account), { set: listNumbers(after), expect: listNumbers(before) }),
    refuse: () => new AccountChangedError(),
  };
}

function listNumbers({ time, space, activeJobs }: Numbers): Record<string, number> {
  return {
    ...listBalance('time', time),
    ...listBalance('space', space),
    living_jobs: activeJobs,
  };
}

function listBalance(name: string, balance: Balance): Record<string, number> {
  return Object.fromEntries(
    Object.entries(balance).map(([part, amount]) => [`${name}_${part}`, amount]),
  );
}

function explainRepair({ drifts }: Repair): string {
  const text = `reconciliation: ${drifts.map(({ words }) => words).join('; ')}`;
  return text.length > longestReason ? `${text.slice(0, longestReason - 1)}…` : text;
}
