import type { Project } from '#lib/catalog/hpc-system.ts';
import { budgetHolder, type UserId } from '#lib/catalog/identifiers.ts';
import { BudgetNotFoundError, QuotaNotFoundError } from '#lib/quotas/errors.ts';
import { changeQuota, type QuotaChange } from '#lib/quotas/grants/change-quota.ts';
import { type DecidedGrant, decideGrant } from '#lib/quotas/grants/grant-quota.ts';
import { type QuotaOrder, recordOrder } from '#lib/quotas/grants/quota-order.ts';
import { openQuota, type Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import { budgetOf } from '#lib/quotas/shares.ts';
import { createQuota } from '#lib/quotas/welcome.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { readLeaders } from './leaders.ts';

/** A project with those who lead it, and its budget if it has one. */
export interface LedProject {
  readonly project: Project;
  readonly leaders: readonly UserId[];
  readonly budget: Quota | undefined;
}

export async function readLedProject(table: Table, project: Project): Promise<LedProject> {
  const key = keyOf(project);
  return {
    project,
    leaders: await readLeaders(table, key),
    budget: await readQuota(table, budgetOf(key)),
  };
}

function keyOf({ hpc, name }: Project): ProjectKey {
  return { hpc, project: name };
}

interface BudgetOrder {
  readonly project: Project;
  readonly change: QuotaChange;
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/**
 * Gives a project a budget, or changes it by the rules of users' quotas: account, ledger line and
 * audit line in one transaction. A change without effect writes nothing.
 */
export async function changeBudget(
  table: Table,
  { project, change, reason, by }: BudgetOrder,
  at = new Date(),
): Promise<void> {
  const { number, hpc, name } = project;
  const order = { user: budgetHolder, project: { number, hpc, name }, change, reason, by };
  await decideUntilWritten(async () => {
    const stored = await readQuota(table, budgetOf(keyOf(project)));
    if (!stored && !change.amounts) throw new BudgetNotFoundError(keyOf(project));
    const decided = decideGrant(order, stored, at);
    const { record } = decided;
    if (!record) return;
    await writeTransaction(table, [
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

/** Says that a ledger without lines has no budget, instead of no quota. */
export async function readBudgetLedger<Found>(
  project: ProjectKey,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof QuotaNotFoundError ? new BudgetNotFoundError(project) : error;
  }
}
