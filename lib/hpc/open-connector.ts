import type { HpcSystem } from '../catalog/hpc-system.ts';
import type { Table } from '../table/table.ts';
import type { Connector } from './connector.ts';
import { createSimulator } from './simulator/simulator.ts';

export interface ConnectorOptions {
  /** How long one hour of a job takes on a simulator. */
  readonly simulatedHourSeconds: number;
}

/** The connector that the catalog names for a system: the one place that knows all kinds. */
export function openConnector(
  table: Table,
  system: HpcSystem,
  { simulatedHourSeconds }: ConnectorOptions,
): Connector {
  switch (system.connector.kind) {
    case 'simulator':
      return createSimulator(table, system, { hourSeconds: simulatedHourSeconds });
  }
}
