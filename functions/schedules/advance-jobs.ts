import { catalog } from '../../lib/catalog/catalog.ts';
import {
  readEnvironment,
  SecretsEnvironment,
  SimulatorEnvironment,
  TableEnvironment,
} from '../../lib/config.ts';
import { isHealthy } from '../../lib/hpc/connector.ts';
import { openConnector } from '../../lib/hpc/open-connector.ts';
import { openSecrets } from '../../lib/hpc/open-secrets.ts';
import { createHealthRecorder } from '../../lib/hpc/system-health.ts';
import { advanceJobs } from '../../lib/jobs/advance-jobs.ts';
import { openTable } from '../../lib/table/table.ts';
import { reportSystemHealth } from '../../lib/telemetry/metrics.ts';

const table = openTable(readEnvironment(TableEnvironment).TABLE_NAME);
const recordHealth = createHealthRecorder(table);
const options = {
  simulatedHourSeconds: readEnvironment(SimulatorEnvironment).SIM_HOUR_SECONDS,
  openCredentials: openSecrets(readEnvironment(SecretsEnvironment).HPC_SECRETS),
};
const systems = catalog.systems.map((system) => ({
  system,
  connector: openConnector(table, system, options),
}));

/** Brings every due job one step on. One system that is down does not keep the others waiting. */
export async function handler(): Promise<void> {
  const now = new Date();
  const sweeps = systems.map(async ({ system, connector }) => {
    const healthy = await isHealthy(connector);
    reportSystemHealth(system.name, healthy);
    await recordHealth(system.name, healthy, now);
    await advanceJobs({ table, now, system, connector });
  });
  const failures = (await Promise.allSettled(sweeps)).filter(({ status }) => status === 'rejected');
  if (failures.length > 0) throw new AggregateError(failures, 'A sweep failed.');
}
