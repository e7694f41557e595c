import { catalog } from '#lib/catalog/catalog.ts';
import {
  ConnectorEnvironment,
  FilesEnvironment,
  readEnvironment,
  TableEnvironment,
} from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { createHealthRecorder } from '#lib/hpc/breaker/system-health.ts';
import { isHealthy } from '#lib/hpc/connector.ts';
import { readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import { openSystems } from '#lib/hpc/open/open-systems.ts';
import { advanceJobs } from '#lib/jobs/run/advance-jobs.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { reportSystemHealth } from '#lib/telemetry/metrics.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const files = openJobFiles(readEnvironment(FilesEnvironment));
const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));
const visitSystems = openSystems(table, catalog.systems, options);

const recordHealth = createHealthRecorder(table);

/** Brings every due job one step on: what the stream missed, and what needs another look. */
export async function handler(): Promise<void> {
  const now = new Date();
  await visitSystems(now, async ({ system, connector, isPaused }) => {
    const healthy = await isHealthy(connector);
    reportSystemHealth(system.name, healthy);
    await recordHealth(system.name, healthy, now);
    if (!isPaused()) await advanceJobs({ table, files, now, system, connector });
  });
}
