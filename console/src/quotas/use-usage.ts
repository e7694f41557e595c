import type { Slipway } from '#client/src/index.ts';
import { type Live, useLive } from '../live/use-live.ts';

export type UsageRow = Awaited<ReturnType<Slipway['readUsage']>>[number];

const day = 86_400_000;

/** Loads what ended jobs used on each of the last 30 days, by project. */
export function useUsage(): Live<readonly UsageRow[]> {
  const since = new Date(Date.now() - 29 * day).toISOString().slice(0, 10);
  const until = new Date().toISOString().slice(0, 10);
  return useLive(`usage ${since}`, (service, signal) =>
    service.readUsage({ by: 'project,day', since, until }, { signal }),
  );
}

export function sumUsed(
  rows: readonly UsageRow[] | undefined,
  at: { readonly project_hpc: string; readonly project_name: string },
): number {
  return (rows ?? [])
    .filter((row) => row.project_hpc === at.project_hpc && row.project_name === at.project_name)
    .reduce((sum, { time_used: used }) => sum + used, 0);
}

/** Lists what was used in a project on each of the last 30 days, the oldest first. */
export function usedByDay(
  rows: readonly UsageRow[] | undefined,
  at: { readonly project_hpc: string; readonly project_name: string },
  now: Date,
): readonly number[] {
  return Array.from({ length: 30 }, (_, index) => {
    const wanted = new Date(now.getTime() - (29 - index) * day).toISOString().slice(0, 10);
    const own = rows?.filter((row) => row.day === wanted);
    return sumUsed(own, at);
  });
}
