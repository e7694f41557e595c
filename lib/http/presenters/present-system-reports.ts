import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemReport } from '#lib/hpc/breaker/system-health.ts';
import { timestamp } from './values/timestamp.ts';

/** For administrators: not only whether a system is up, but since when, and what it said. */
export function presentSystemReports(
  systems: readonly HpcSystem[],
  reports: ReadonlyMap<string, SystemReport>,
) {
  return systems.map(({ name }) => {
    const report = reports.get(name);
    const { failures = 0, openUntil, failingSince, lastError } = report?.breaker ?? {};
    return {
      name,
      project_hpc: name.toUpperCase(),
      status: report?.state ?? 'unknown',
      failing_since: failingSince ? timestamp(failingSince) : null,
      breaker: {
        state: report?.phase ?? 'closed',
        failures,
        open_until: openUntil ? timestamp(openUntil) : null,
      },
      last_error: lastError ? { at: timestamp(lastError.at), reason: lastError.reason } : null,
    };
  });
}
