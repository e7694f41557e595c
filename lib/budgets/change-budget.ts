import type { Project } from '#lib/catalog/hpc-system.ts';
import { budgetHolder } from '#lib/catalog/identifiers.ts';
import { BudgetNotFoundError } from '#lib/quotas/errors.ts';
import { changeQuota, type QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { type DecidedGrant, decideGrant } from '#lib/quotas/grants/grant-quota.ts';
import { type QuotaOrder, recordOrder } from '#lib/quotas/grants/quota-order.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { createQuota } from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { readBudget } from './budget.ts';

interface BudgetOrder {
  readonly project: Project;
  readonly change: QuotaChange;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
  /** Steps that go first in the same transaction. Planned again for each retry. */
  readonly planBefore?: (() => Promise<readonly Step[]>) | undefined;
}

/**
 * Gives a project a budget, or changes it by the rules of users' quotas: account, ledger line and
 * audit line in one transaction. A change without effect writes nothing.
 */
export async function changeBudget(
  table: Table,
  { project, change, reason, by, planBefore }: BudgetOrder,
  at = new Date(),
): Promise<void> {
  const { number, hpc, name } = project;
  const order = { user: budgetHolder, project: { number, hpc, name }, change, reason, by };
  await decideUntilWritten(async () => {
    const stored = await readBudget(table, project);
    if (!stored && !change.amounts) throw new BudgetNotFoundError({ hpc, project: name });
    const decided = decideGrant(order, stored, at);
    const { record } = decided;
    if (!record) return;
    await writeTransaction(table, [
      ...((await planBefore?.()) ?? []),
      await saveBudget(table, order, stored, decided, at),
      ...recordOrder(order, { ...record, act: 'budget-changed' }, at),
    ]);
  });
}

async function saveBudget(
  table: Table,
  { user, project }: QuotaOrder,
  stored: Quota | undefined,
  { planned }: DecidedGrant,
  at: Date,
): Promise<Step> {
  if (stored) return changeQuota(stored, planned, at);
  const id = await takeNumbers(table, 'quota');
  return createQuota(openQuota({ id, user, project }, planned.added, planned), at);
}
