import { randomUUID } from 'node:crypto';
import { type Act, type ActKind, type Fact, listChanges } from '#lib/audit/act.ts';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { ifRevision } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { MaintenanceNotFoundError, pauseName } from './errors.ts';
import { isOver, isSame } from './judge-maintenance.ts';
import { type Maintenance, type MaintenanceWindow, maintenanceToItem } from './maintenance.ts';
import { readMaintenance } from './read-maintenance.ts';

interface WindowOrder {
  readonly hpc: SystemName;
  readonly name: string;
  /** The administrator. */
  readonly by: string;
}

interface Announcement extends WindowOrder {
  readonly window: Pick<MaintenanceWindow, 'from' | 'until' | 'reason' | 'drains'>;
}

/** Announces a window, or changes the one of this name. Without effect, nothing is written. */
export async function announceWindow(
  table: Table,
  { window, ...order }: Announcement,
  at = new Date(),
): Promise<{ readonly window: MaintenanceWindow; readonly created: boolean }> {
  return decideUntilWritten(async () => {
    const { all, before } = await findWindow(table, order, at);
    const after = { name: order.name, source: 'administrator', ...window } as const;
    const created = before === undefined;
    if (before && isSame(before, after)) return { window: before, created };
    const kind = created ? 'maintenance-announced' : 'maintenance-changed';
    await writeChange(table, all, { ...order, reason: after.reason, kind, before, after, at });
    return { window: after, created };
  });
}

/** Pauses a system from now on, until somebody resumes it. A pause keeps its beginning. */
export async function pauseSystem(
  table: Table,
  { reason, ...order }: Omit<WindowOrder, 'name'> & { readonly reason: string },
  at = new Date(),
): Promise<MaintenanceWindow> {
  const paused = { ...order, name: pauseName };
  const { before } = await findWindow(table, paused, at);
  const window = { from: before?.from ?? at, reason, drains: true };
  return (await announceWindow(table, { ...paused, window }, at)).window;
}

/** Withdraws a window, or ends one that is in force. Returns the window as it was. */
export async function withdrawWindow(
  table: Table,
  order: WindowOrder & { readonly reason: string },
  at = new Date(),
): Promise<MaintenanceWindow> {
  return decideUntilWritten(async () => {
    const { all, before } = await findWindow(table, order, at);
    if (!before) throw new MaintenanceNotFoundError(order.hpc, order.name);
    const kind = 'maintenance-withdrawn';
    await writeChange(table, all, { ...order, kind, before, after: undefined, at });
    return before;
  });
}

export function resumeSystem(
  table: Table,
  order: Omit<WindowOrder, 'name'> & { readonly reason: string },
): Promise<MaintenanceWindow> {
  return withdrawWindow(table, { ...order, name: pauseName });
}

async function findWindow(table: Table, { hpc, name }: WindowOrder, at: Date) {
  const all = await readMaintenance(table, hpc);
  const before = all.windows.find((each) => isNamed(each, name) && !isOver(each, at));
  return { all, before };
}

/** Windows of other sources may have the same name. */
function isNamed({ name, source }: MaintenanceWindow, wanted: string): boolean {
  return source === 'administrator' && name === wanted;
}

interface WindowChange extends WindowOrder {
  readonly kind: ActKind;
  readonly reason: string;
  readonly before: MaintenanceWindow | undefined;
  readonly after: MaintenanceWindow | undefined;
  readonly at: Date;
}

async function writeChange(
  table: Table,
  all: Maintenance,
  { hpc, name, by, kind, reason, before, after, at }: WindowChange,
): Promise<void> {
  const others = all.windows.filter((each) => !isNamed(each, name));
  const change = {
    windows: after ? [...others, after] : others,
    // A job that was held back for the window may be able to run now.
    ...(before && { judgeAgainSince: at }),
  };
  const act: Act = {
    id: randomUUID(),
    kind,
    at,
    by,
    reason,
    subject: { hpc },
    details: { window: name, ...listChanges(listFacts(before), listFacts(after)) },
  };
  await writeTransaction(table, [saveMaintenance(all, change), recordAct(act)]);
}

/** Saves the next revision, unless somebody else did meanwhile. */
export function saveMaintenance(
  before: Maintenance,
  change: Partial<Omit<Maintenance, 'hpc' | 'revision'>>,
): Step {
  const { judgeAgainSince, ...after } = { ...before, ...change, revision: before.revision + 1 };
  const Item = maintenanceToItem({ ...after, ...(judgeAgainSince && { judgeAgainSince }) });
  return { Put: { Item, ...ifRevision(before.revision) }, refuse: () => new StaleReadError() };
}

function listFacts(window: MaintenanceWindow | undefined): Partial<Record<string, Fact>> {
  if (!window) return {};
  const { from, until, drains, reason } = window;
  return {
    from: from.toISOString(),
    until: until?.toISOString() ?? null,
    drain: drains ? 'yes' : 'no',
    announced: reason,
  };
}
