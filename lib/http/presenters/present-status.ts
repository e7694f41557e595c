import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemReport } from '#lib/hpc/breaker/system-health.ts';

/** The service is up if it can say so; a submission does not wait for its HPC system. */
export function presentStatus(
  systems: readonly HpcSystem[],
  reports: ReadonlyMap<string, SystemReport>,
  version: string,
) {
  return {
    status: 'up',
    version,
    systems: systems.map(({ name }) => ({
      name,
      project_hpc: name.toUpperCase(),
      status: reports.get(name)?.state ?? 'unknown',
    })),
  };
}
