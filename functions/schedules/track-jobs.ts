import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { type CheckOutcome, createDayRecorder } from '#lib/hpc/breaker/system-days.ts';
import { createHealthRecorder } from '#lib/hpc/breaker/system-health.ts';
import { isSystemFault } from '#lib/hpc/connector.ts';
import type { Visit } from '#lib/hpc/open/open-connector.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { createRecovery } from '#lib/jobs/run/create-recovery.ts';
import { releaseHeld } from '#lib/jobs/run/hand-over/waiting-jobs.ts';
import { beginSweep, createHealthCheck, parseSweepCall } from '#lib/jobs/run/sweep/sweep.ts';
import { findClosure } from '#lib/systems/judge-maintenance.ts';
import { createMaintenanceKeeper } from '#lib/systems/keep-maintenance.ts';
import type { Maintenance } from '#lib/systems/maintenance.ts';
import { countSystemSilence } from '#lib/telemetry/metrics.ts';
import { stores, visitSystem } from '../sweep-parts.ts';

const recover = createRecovery();
const checkHealth = createHealthCheck();
const recordHealth = createHealthRecorder(stores.table);
const countMinute = createDayRecorder(stores.table);
const keepMaintenance = createMaintenanceKeeper(stores.table);

/**
 * Advances every due job of one system: those that the stream missed, and those due for another
 * check. Each system has its own run, so that a slow one does not delay the others.
 */
export async function handler(
  event: unknown,
  context: { getRemainingTimeInMillis(): number },
): Promise<void> {
  const { hpc, run } = parseSweepCall(event);
  const system = findSystem(catalog, hpc);
  await visitSystem(system, async (visit) => {
    const leftMs = () => context.getRemainingTimeInMillis();
    const advance = () =>
      advanceJobs(beginSweep({ ...stores, recover }, system, visit, leftMs), run);
    if (run.number > 0) return advance();
    // One check is enough for all runs of a system.
    await recordOutcome(system.name, await checkHealth(visit, hpc), visit.maintenance);
    // A fault here must not keep the jobs waiting.
    return attendMaintenance(system, visit).finally(advance);
  });
}

/** During a maintenance, nobody is told that a system is down, and its history does not count it. */
async function recordOutcome(
  hpc: SystemName,
  outcome: CheckOutcome,
  { windows }: Maintenance,
): Promise<void> {
  const healthy = outcome !== 'down';
  const checkedAt = new Date();
  await recordHealth(hpc, healthy, checkedAt);
  if (!healthy && findClosure(windows, checkedAt)) return;
  if (!healthy) countSystemSilence(hpc);
  await countMinute(hpc, outcome, checkedAt);
}

/** Waits for nothing but the table if the system is away: what it reported last stays. */
async function attendMaintenance(
  system: HpcSystem,
  { connector, maintenance }: Visit,
): Promise<void> {
  const now = new Date();
  const keeping = {
    releaseHeld: () => releaseHeld(stores.table, system.name, now),
    readReported: async () =>
      connector.readMaintenance?.().catch((error: unknown) => {
        if (!isSystemFault(error)) throw error;
        return undefined;
      }),
  };
  await keepMaintenance(system, maintenance, keeping, now);
}
