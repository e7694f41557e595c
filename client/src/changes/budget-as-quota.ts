import type { LedProject, QuotaWithUsage } from '../index.ts';

/** Returns the budget of a project in the shape of a quota, for what shows quotas. */
export function budgetAsQuota(led: LedProject): QuotaWithUsage | undefined {
  const { budget, project, project_hpc, project_name } = led;
  if (!budget) return undefined;
  return {
    id: project,
    project,
    project_hpc,
    project_name,
    user: '',
    time_left: budget.time.left,
    space_left: budget.space.left,
    usage: { ...budget, banned: null },
  };
}
