import type { Catalog } from '#lib/catalog/catalog.ts';
import { findSystem } from '#lib/catalog/catalog.ts';
import type { Table } from '#lib/table/table.ts';
import { accountOf } from '../../quota.ts';
import { estimateQuota } from '../../welcome/estimate-quota.ts';
import { decideGrant, type GrantOrder, grantQuota } from '../grant-quota.ts';
import type { OrderOutcome } from '../quota-order.ts';
import { claimRow, fingerprintRow, isRowDone, type RowName } from './claim-row.ts';

/** A grant that is one of many. */
export interface GrantRow extends GrantOrder {
  /** Nothing where it may be done again each time it is sent. */
  readonly name: RowName | undefined;
}

/** What became of it, or what would. */
export interface RowOutcome {
  readonly kind: 'granted' | 'corrected' | 'unchanged';
  /** Before and after; nothing where nothing changed. */
  readonly details: OrderOutcome['details'] | undefined;
}

const unchanged: RowOutcome = { kind: 'unchanged', details: undefined };

/** Does what a row says, once: a row that was done before changes nothing. */
export async function grantRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowOutcome> {
  if (!name) return describe((await grantQuota(table, catalog, order, at)).outcome);
  const fingerprint = fingerprintRow(order);
  const isDone = () => isRowDone(table, name, fingerprint, at);
  if (await isDone()) return unchanged;
  const planBefore = async () => [claimRow(name, fingerprint, at)];
  try {
    const { outcome } = await grantQuota(table, catalog, { ...order, planBefore }, at);
    return describe(outcome);
  } catch (error) {
    // The same request may be running twice, and the other one was faster: that is no refusal.
    if (await isDone()) return unchanged;
    throw error;
  }
}

/** What a row would do. Nothing is written, and nobody is welcomed. */
export async function estimateRow(
  table: Table,
  catalog: Catalog,
  { name, ...order }: GrantRow,
  at = new Date(),
): Promise<RowOutcome> {
  if (name && (await isRowDone(table, name, fingerprintRow(order), at))) return unchanged;
  const system = findSystem(catalog, order.project.hpc);
  const quota = await estimateQuota(table, system, accountOf(order));
  return describe(decideGrant(order, quota, at).outcome);
}

function describe(outcome: OrderOutcome | undefined): RowOutcome {
  if (!outcome) return unchanged;
  const { act, details } = outcome;
  return { kind: act === 'quota-corrected' ? 'corrected' : 'granted', details };
}
