import type { HpcSystem } from '../catalog/hpc-system.ts';
import type { Table } from '../table/table.ts';
import type { Connector } from './connector.ts';
import type { CredentialStore } from './credentials.ts';
import { createNsgConnector } from './nsg/connector.ts';
import { createSimulator } from './simulator/simulator.ts';
import { createSlurmConnector } from './slurm/slurm-connector.ts';
import { createUnicoreConnector } from './unicore/connector.ts';

export interface ConnectorOptions {
  /** How long one hour of a job takes on a simulator. */
  readonly simulatedHourSeconds: number;
  /** Where the credentials of a system are read from. */
  readonly openCredentials: (hpc: string) => CredentialStore;
}

/** The connector that the catalog names for a system: the one place that knows all kinds. */
export function openConnector(
  table: Table,
  system: HpcSystem,
  { simulatedHourSeconds, openCredentials }: ConnectorOptions,
): Connector {
  const { connector: settings, name } = system;
  switch (settings.kind) {
    case 'simulator':
      return createSimulator(table, system, { hourSeconds: simulatedHourSeconds });
    case 'slurm':
      return createSlurmConnector({ ...settings, credentials: openCredentials(name) });
    case 'unicore':
      return createUnicoreConnector({ ...settings, credentials: openCredentials(name) });
    case 'nsg':
      return createNsgConnector({ ...settings, credentials: openCredentials(name) });
  }
}
