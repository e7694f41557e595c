import type { SystemName } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import { systemMaintenanceKey } from '#lib/table/keys.ts';
import { readItem, readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { findObstacle, listCurrent } from './judge-maintenance.ts';
import {
  type Maintenance,
  type MaintenanceWindow,
  maintenanceFromItem,
  noMaintenance,
} from './maintenance.ts';

export async function readMaintenance(table: Table, hpc: SystemName): Promise<Maintenance> {
  const stored = await readItem(table, systemMaintenanceKey(hpc), maintenanceFromItem);
  return stored ?? noMaintenance(hpc);
}

/** Reads the windows of systems that are not over, for people. */
export async function readWindows(
  table: Table,
  systems: readonly SystemName[],
  now = new Date(),
): Promise<ReadonlyMap<string, readonly MaintenanceWindow[]>> {
  const items = await readItems(table, systems.map(systemMaintenanceKey), { consistent: false });
  const stored = items.map(maintenanceFromItem);
  return new Map(stored.map(({ hpc, windows }) => [hpc, listCurrent(windows, now)]));
}

/** A function that is called for every job must not read the windows each time. */
const rememberedMs = 10_000;

/** Remembers in this container what it has read. A new window is noticed some seconds later. */
export function createMaintenanceReader(table: Table, now: () => number = () => performance.now()) {
  const memory = createShortMemory<Maintenance>({ most: 100, maxAgeMs: rememberedMs, now });
  return async (hpc: SystemName): Promise<Maintenance> => {
    const known = memory.recall(hpc);
    if (known) return known;
    const read = await readMaintenance(table, hpc);
    memory.keep(hpc, read);
    return read;
  };
}

/** Reads which window a job of this length would wait for if it were handed over now. */
export async function readObstacle(
  table: Table,
  hpc: SystemName,
  grantedSeconds: number,
  now: Date,
): Promise<MaintenanceWindow | undefined> {
  const { windows } = await readMaintenance(table, hpc);
  return findObstacle(windows, grantedSeconds, now);
}
