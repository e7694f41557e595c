import type { LedProject } from '#lib/budgets/budget.ts';
import type { Balance, Quota } from '#lib/quotas/quota.ts';
import { presentUsage } from './present-quota.ts';
import { float } from './values.ts';

export function presentLedProject(
  { project, leaders, budget }: LedProject,
  names?: ReadonlyMap<string, string>,
) {
  return {
    project: project.number,
    project_hpc: project.hpc.toUpperCase(),
    project_name: project.name,
    leaders,
    ...(names && { leader_names: Object.fromEntries(names) }),
    budget: budget ? presentBudget(budget) : null,
  };
}

function presentBudget(budget: Quota) {
  const { time, space, share } = budget;
  const { living_jobs, valid_until, renews } = presentUsage(budget);
  return {
    time: presentBalance(time, share?.seconds ?? 0, (seconds) => seconds),
    space: presentBalance(space, share?.kilobytes ?? 0, float),
    living_jobs,
    valid_until,
    renews,
  };
}

function presentBalance<Shown>(
  { granted, left, held, used }: Balance,
  sharedOut: number,
  show: (amount: number) => Shown,
) {
  return {
    granted: show(granted),
    left: show(left),
    held: show(held),
    used: show(used),
    shared_out: show(sharedOut),
  };
}
