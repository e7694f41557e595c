import type { RowOutcome } from '#lib/quotas/grants/grant-rows.ts';
import type { AccountKey } from '#lib/table/keys.ts';

export function presentGrantedRow({ user, hpc, project }: AccountKey, outcome: RowOutcome) {
  return {
    outcome: outcome.kind,
    user,
    project_hpc: hpc.toUpperCase(),
    project_name: project,
    change: outcome.details ?? null,
  };
}
