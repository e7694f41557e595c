import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { writeTransaction } from '#lib/table/transaction.ts';
import { addSeconds } from '#lib/time/add-seconds.ts';
import { saveMaintenance } from './change-maintenance.ts';
import { isOfSameName, isOver, isSame, listCurrent } from './judge-maintenance.ts';
import type { Maintenance, MaintenanceWindow } from './maintenance.ts';

/** A window as a system reports it. */
export interface ReportedWindow {
  readonly name: string;
  readonly from: Date;
  readonly until: Date;
  readonly reason: string;
}

/** A hand-over may still hold jobs back for a window that it remembers. */
const judgeAgainSeconds = 60;

/** What a sweep needs to keep the windows of a system. */
export interface Keeping {
  /** Makes the jobs due that were held back, so that they are judged again. */
  releaseHeld(): Promise<unknown>;
  /** Returns the windows of the system itself, or undefined if it has none or was asked just now. */
  readReported(): Promise<readonly ReportedWindow[] | undefined>;
}

/**
 * Keeps the stored windows true: takes over those of the catalog and of the system, removes those
 * that are over, and releases jobs after a change. Jobs are released a second time a minute later,
 * for containers that still remembered the old windows.
 */
export function createMaintenanceKeeper(table: Table) {
  const released = new Map<string, number>();
  const written = new Map<string, number>();
  return async (
    system: HpcSystem,
    stored: Maintenance,
    { releaseHeld, readReported }: Keeping,
    now: Date,
  ): Promise<void> => {
    // What was read may be some seconds old, and so from before the last write.
    if (written.get(system.name) === stored.revision) return;
    const { judgeAgainSince: since } = stored;
    const isSecond = since !== undefined && now >= addSeconds(since, judgeAgainSeconds);
    if (since && (isSecond || released.get(system.name) !== since.getTime())) {
      await releaseHeld();
      released.set(system.name, since.getTime());
    }
    const windows = gather(system, stored, await readReported(), now);
    const shrinks = stored.windows.some(
      (old) =>
        old.source === 'catalog' && !isOver(old, now) && !windows.some((each) => isSame(old, each)),
    );
    const change = {
      ...(!areSame(stored.windows, windows) && { windows }),
      ...(isSecond && { judgeAgainSince: undefined }),
      ...(shrinks && { judgeAgainSince: now }),
    };
    if (Object.keys(change).length === 0) return;
    await writeTransaction(table, [saveMaintenance(stored, change)]).catch((error: unknown) => {
      // Somebody else changed the windows first. The next sweep continues.
      if (!(error instanceof StaleReadError)) throw error;
    });
    written.set(system.name, stored.revision);
  };
}

function gather(
  { maintenance = [] }: HpcSystem,
  { windows }: Maintenance,
  reported: readonly ReportedWindow[] | undefined,
  now: Date,
): MaintenanceWindow[] {
  const own = windows.filter(({ source }) => source === 'administrator');
  const ofCatalog = maintenance.map(({ from, until, reason, drain = true }) => ({
    name: `${new Date(from).toISOString().slice(0, 16).replace(':', '')}Z`,
    source: 'catalog' as const,
    from: new Date(from),
    until: new Date(until),
    reason,
    drains: drain,
  }));
  const ofSystem = reported
    ? reported.map((each) => ({ ...each, source: 'slurm' as const, drains: true }))
    : windows.filter(({ source }) => source === 'slurm');
  return listCurrent([...own, ...ofCatalog, ...ofSystem], now);
}

function areSame(before: readonly MaintenanceWindow[], after: readonly MaintenanceWindow[]) {
  return (
    before.length === after.length &&
    before.every((old) => {
      const same = after.find((each) => isOfSameName(each, old));
      return same !== undefined && isSame(old, same);
    })
  );
}
