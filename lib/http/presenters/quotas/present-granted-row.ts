import type { RowResult } from '#lib/quotas/grants/grant-rows.ts';
import type { AccountKey } from '#lib/table/keys.ts';

export function presentGrantedRow({ user, hpc, project }: AccountKey, row: RowResult) {
  return {
    outcome: row.kind,
    user,
    project_hpc: hpc.toUpperCase(),
    project_name: project,
    change: row.details ?? null,
  };
}
