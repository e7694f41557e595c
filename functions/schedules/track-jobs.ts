import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import {
  ConnectorEnvironment,
  FilesEnvironment,
  HandOverEnvironment,
  readEnvironment,
} from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { createHealthRecorder } from '#lib/hpc/breaker/system-health.ts';
import { openSystems, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { createJobAddresses } from '#lib/http/presenters/job-addresses.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { createRecovery } from '#lib/jobs/run/create-recovery.ts';
import { beginSweep, isHealthy, parseSweepCall } from '#lib/jobs/run/sweep/sweep.ts';
import { reportSystemHealth } from '#lib/telemetry/metrics.ts';
import { table } from '../table.ts';

const files = openJobFiles(readEnvironment(FilesEnvironment));
const addressesOf = createJobAddresses(readEnvironment(HandOverEnvironment));
const stores = { table, files, addressesOf, recover: createRecovery() };
const visitSystem = openSystems(table, readConnectorOptions(readEnvironment(ConnectorEnvironment)));
const recordHealth = createHealthRecorder(table);

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
    const healthy = await isHealthy(visit.connector, hpc);
    reportSystemHealth(system.name, healthy);
    await recordHealth(system.name, healthy, new Date());
    const leftMs = () => context.getRemainingTimeInMillis();
    await advanceJobs(beginSweep(stores, system, visit, leftMs), run);
  });
}
