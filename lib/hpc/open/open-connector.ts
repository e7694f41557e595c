import type { ConnectorSettings, HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';
import { open as batch } from '#lib/hpc/aws-batch/batch-connector.ts';
import { open as machine } from '#lib/hpc/machine/machine-connector.ts';
import { open as nsg } from '#lib/hpc/nsg/nsg-connector.ts';
import { open as simulator } from '#lib/hpc/simulator/simulator-connector.ts';
import { open as slurm } from '#lib/hpc/slurm/slurm-connector.ts';
import { open as unicore } from '#lib/hpc/unicore/unicore-connector.ts';
import { findClosure } from '#lib/systems/judge-maintenance.ts';
import type { Maintenance } from '#lib/systems/maintenance.ts';
import { createMaintenanceReader } from '#lib/systems/read-maintenance.ts';
import type { Table } from '#lib/table/table.ts';
import { openBreaker } from '../breaker/breaker.ts';
import type { BatchPlace, Connector, ConnectorMeans, OpenKind } from '../connector.ts';
import { type OpenCredentials, openSecrets } from '../credentials.ts';
import { addFault, type SystemFault } from './system-faults.ts';

// By their whole names, under which bundles hold something else.

export interface ConnectorOptions {
  readonly simulatedHourSeconds: number;
  readonly simulatedFaults?: ReadonlyMap<string, SystemFault>;
  readonly openCredentials: OpenCredentials;
  /** Missing in tools and tests that reach no system on AWS Batch. */
  readonly batchSystems?: Readonly<Record<string, BatchPlace>>;
}

export function readConnectorOptions(settings: {
  readonly SIM_HOUR_SECONDS: number;
  readonly SIM_FAULTS: ReadonlyMap<string, SystemFault>;
  readonly HPC_SECRETS: Readonly<Record<string, string>>;
  readonly BATCH_SYSTEMS: Readonly<Record<string, BatchPlace>>;
}): ConnectorOptions {
  return {
    simulatedHourSeconds: settings.SIM_HOUR_SECONDS,
    simulatedFaults: settings.SIM_FAULTS,
    openCredentials: openSecrets(settings.HPC_SECRETS),
    batchSystems: settings.BATCH_SYSTEMS,
  };
}

/** Each kind's own `open`. A bundle leaves out the kinds that its catalog does not name. */
const openers: { readonly [Kind in KindName]: OpenKind<Kind> } = {
  simulator,
  machine,
  slurm,
  batch,
  unicore,
  nsg,
};

export function openConnector(
  table: Table,
  system: HpcSystem,
  { simulatedHourSeconds, simulatedFaults, openCredentials, batchSystems }: ConnectorOptions,
): Connector {
  const { connector: settings, name } = system;
  const means = {
    table,
    system,
    simulatedHourSeconds,
    openCredentials: () => openCredentials(name),
    batchPlace: batchSystems?.[name],
  };
  return addFault(openKind(settings, means), simulatedFaults?.get(name));
}

function openKind<Kind extends KindName>(
  settings: Extract<ConnectorSettings, { readonly kind: Kind }> & { readonly kind: Kind },
  means: ConnectorMeans,
): Connector {
  return openers[settings.kind](settings, means);
}

/**
 * Opens the connector of each system on first use, guarded by its breaker. The outcome of a single
 * request is not saved, because the sweeps judge a system.
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

export interface Visit {
  readonly connector: Connector;
  /** True once the breaker is open. The system is not called then, and due jobs stay due. */
  isPaused(): boolean;
  /** True if the system answered a call of this process a moment ago, and all calls since. */
  isKnownUp(): boolean;
  /** The windows in which the system takes no jobs. */
  readonly maintenance: Maintenance;
}

/** Below a minute, so that a sweep every minute finds the answer of the last one too old. */
const knownForMs = 50_000;

/**
 * Returns a function that works on a system behind its breaker. Connectors are opened on first use,
 * so that a faulty one does not stop the work on other systems.
 */
export function openSystems(
  table: Table,
  options: ConnectorOptions,
): (system: HpcSystem, work: (visit: Visit) => Promise<unknown>) => Promise<void> {
  const opened = new Map<string, Connector>();
  const answered = new Map<string, number>();
  const readMaintenance = createMaintenanceReader(table);
  return async (system, work) => {
    const connector = opened.get(system.name) ?? openConnector(table, system, options);
    opened.set(system.name, connector);
    const now = new Date();
    const [breaker, maintenance] = await Promise.all([
      openBreaker(table, system.name, now),
      readMaintenance(system.name),
    ]);
    const answeredAtMs = () => breaker.answeredAtMs ?? answered.get(system.name) ?? -Infinity;
    try {
      await work({
        connector: breaker.guard(connector),
        isPaused: () => breaker.isOpen,
        isKnownUp: () => !breaker.isFailing && performance.now() - answeredAtMs() < knownForMs,
        maintenance,
      });
    } finally {
      answered.set(system.name, answeredAtMs());
      const isExpected = findClosure(maintenance.windows, now) !== undefined;
      await breaker.save(isExpected);
    }
  };
}
