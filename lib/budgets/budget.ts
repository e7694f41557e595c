import type { Project } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { BudgetNotFoundError, QuotaNotFoundError } from '#lib/quotas/errors.ts';
import { budgetOf, type Quota } from '#lib/quotas/quota.ts';
import { readQuota } from '#lib/quotas/quota-store.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { readLeaders } from './leaders.ts';

/** A project with those who lead it, and its budget if it has one. */
export interface LedProject {
  readonly project: Project;
  readonly leaders: readonly UserId[];
  readonly budget: Quota | undefined;
}

export async function readLedProject(table: Table, project: Project): Promise<LedProject> {
  const { hpc, name } = project;
  return {
    project,
    leaders: await readLeaders(table, { hpc, project: name }),
    budget: await readBudget(table, project),
  };
}

export async function readBudget(
  table: Table,
  { hpc, name }: Pick<Project, 'hpc' | 'name'>,
): Promise<Quota | undefined> {
  return readQuota(table, budgetOf({ hpc, project: name }));
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
