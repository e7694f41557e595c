import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { createNsgConnector } from '#lib/hpc/nsg/nsg-connector.ts';
import { createSlurmConnector } from '#lib/hpc/slurm/slurm-connector.ts';
import { createUnicoreConnector } from '#lib/hpc/unicore/unicore-connector.ts';
import type { Table } from '#lib/table/table.ts';
import { openBreaker } from '../breaker/breaker.ts';
import type { Connector } from '../connector.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { addFault, type SystemFault } from '../simulator/system-faults.ts';
import { type OpenCredentials, openSecrets } from './open-secrets.ts';

export interface ConnectorOptions {
  /** How long one hour of a job takes on a simulator. */
  readonly simulatedHourSeconds: number;
  /** What is wrong with simulated systems. */
  readonly simulatedFaults?: ReadonlyMap<string, SystemFault>;
  /** Where the credentials of a system are read from. */
  readonly openCredentials: OpenCredentials;
}

/** As the environment of a function says it. */
export function readConnectorOptions(settings: {
  readonly SIM_HOUR_SECONDS: number;
  readonly SIM_FAULTS: ReadonlyMap<string, SystemFault>;
  readonly HPC_SECRETS: Readonly<Record<string, string>>;
}): ConnectorOptions {
  return {
    simulatedHourSeconds: settings.SIM_HOUR_SECONDS,
    simulatedFaults: settings.SIM_FAULTS,
    openCredentials: openSecrets(settings.HPC_SECRETS),
  };
}

/** The connector that the catalog names for a system: the one place that knows all kinds. */
export function openConnector(
  table: Table,
  system: HpcSystem,
  { simulatedHourSeconds, simulatedFaults, openCredentials }: ConnectorOptions,
): Connector {
  const { connector: settings, name } = system;
  switch (settings.kind) {
    case 'simulator': {
      const simulator = createSimulator(table, system, { hourSeconds: simulatedHourSeconds });
      return addFault(simulator, simulatedFaults?.get(name));
    }
    case 'slurm':
      return createSlurmConnector({ ...settings, credentials: openCredentials(name) });
    case 'unicore':
      return createUnicoreConnector({ ...settings, credentials: openCredentials(name) });
    case 'nsg':
      return createNsgConnector({ ...settings, credentials: openCredentials(name) });
  }
}

/** Whether the jobs of a system send their results to us; the other systems keep them. */
export function sendsResults({ connector }: HpcSystem): boolean {
  return connector.kind === 'slurm';
}

/**
 * The connectors of systems, each opened when it is first needed and guarded by its breaker. What
 * one request finds is not written down: the sweeps judge a system.
 */
export function openGuardedConnectors(
  table: Table,
  options: ConnectorOptions,
): (system: HpcSystem) => Promise<Connector> {
  const opened = new Map<string, Connector>();
  return async (system) => {
    const connector = opened.get(system.name) ?? openConnector(table, system, options);
    opened.set(system.name, connector);
    const breaker = await openBreaker(table, system.name, new Date());
    return breaker.guard(connector);
  };
}
