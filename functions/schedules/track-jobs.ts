import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { type CheckOutcome, createDayRecorder } from '#lib/hpc/breaker/system-days.ts';
import { createHealthRecorder } from '#lib/hpc/breaker/system-health.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { createRecovery } from '#lib/jobs/run/create-recovery.ts';
import { beginSweep, createHealthCheck, parseSweepCall } from '#lib/jobs/run/sweep/sweep.ts';
import { reportSystemHealth } from '#lib/telemetry/metrics.ts';
import { stores, visitSystem } from '../sweep-parts.ts';

const recover = createRecovery();
const checkHealth = createHealthCheck();
const recordHealth = createHealthRecorder(stores.table);
const countMinute = createDayRecorder(stores.table);

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
    // One check is enough for all runs of a system.
    if (run.number === 0) await recordOutcome(system.name, await checkHealth(visit, hpc));
    const leftMs = () => context.getRemainingTimeInMillis();
    await advanceJobs(beginSweep({ ...stores, recover }, system, visit, leftMs), run);
  });
}

async function recordOutcome(hpc: SystemName, outcome: CheckOutcome): Promise<void> {
  const healthy = outcome !== 'down';
  const checkedAt = new Date();
  reportSystemHealth(hpc, healthy);
  await recordHealth(hpc, healthy, checkedAt);
  await countMinute(hpc, outcome, checkedAt);
}
