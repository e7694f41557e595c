import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Table } from '#lib/table/table.ts';
import { openBreaker } from '../breaker/breaker.ts';
import type { Connector } from '../connector.ts';
import { type ConnectorOptions, openConnector } from './open-connector.ts';

export interface Visit {
  readonly connector: Connector;
  /** Whether its breaker is open by now: it is not called then, and what is due stays due. */
  isPaused(): boolean;
}

/**
 * What visits a system behind its breaker. The connector of each is opened when it is first
 * needed: what is wrong with one must not keep the others from their work.
 */
export function openSystems(
  table: Table,
  options: ConnectorOptions,
): (system: HpcSystem, work: (visit: Visit) => Promise<unknown>) => Promise<void> {
  const opened = new Map<string, Connector>();
  return async (system, work) => {
    const connector = opened.get(system.name) ?? openConnector(table, system, options);
    opened.set(system.name, connector);
    const breaker = await openBreaker(table, system.name, new Date());
    try {
      await work({ connector: breaker.guard(connector), isPaused: () => breaker.isOpen });
    } finally {
      await breaker.save();
    }
  };
}
