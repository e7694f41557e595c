import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { Table } from '#lib/table/table.ts';
import { openBreaker } from '../breaker/breaker.ts';
import type { Connector } from '../connector.ts';
import { type ConnectorOptions, openConnector } from './open-connector.ts';

export interface Visit {
  readonly system: HpcSystem;
  readonly connector: Connector;
  /** Whether its breaker is open by now: it is not called then, and what is due stays due. */
  isPaused(): boolean;
}

type IsMeant = (system: HpcSystem) => boolean;

/**
 * Opens the connectors of systems, and returns what visits them, all at once and each behind its
 * breaker. One that is down does not keep the others waiting.
 */
export function openSystems(
  table: Table,
  systems: readonly HpcSystem[],
  options: ConnectorOptions,
): (now: Date, work: (visit: Visit) => Promise<unknown>, isMeant?: IsMeant) => Promise<void> {
  const opened = systems.map((system) => ({
    system,
    connector: openConnector(table, system, options),
  }));
  return async (now, work, isMeant = () => true) => {
    const meant = opened.filter(({ system }) => isMeant(system));
    await mapInParallel(meant, meant.length, async ({ system, connector }) => {
      const breaker = await openBreaker(table, system.name, now);
      try {
        await work({
          system,
          connector: breaker.guard(connector),
          isPaused: () => breaker.isOpen,
        });
      } finally {
        await breaker.save();
      }
    });
  };
}
