import type { Detail } from '#lib/audit/act.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { takeNumbers } from '#lib/table/counter.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import {
  BudgetEndsError,
  BudgetNotFoundError,
  NotFromBudgetError,
  QuotaNotFoundError,
} from '../errors.ts';
import { accountOf, budgetOf, isNothing, nothing, openQuota, type Quota } from '../quota.ts';
import { readQuota } from '../quota-store.ts';
import { describeRenewalChange } from '../renewal.ts';
import { isWholeShare, judgeShare, trimShare } from '../shares/share.ts';
import { openAnotherQuota, welcomeUser } from '../welcome.ts';
import {
  applyChange,
  changeQuota,
  changesNothing,
  judgeChange,
  type PlannedChange,
  planChange,
  type QuotaChange,
  takesAway,
} from './change-quota.ts';
import { type OrderRecord, type QuotaOrder, recordOrder } from './quota-order.ts';

export interface GrantOrder extends QuotaOrder {
  readonly change: QuotaChange;
  /** Steps that go first in the same transaction. Planned again for each retry. */
  readonly planBefore?: (() => Promise<readonly Step[]>) | undefined;
}

export interface Granted {
  readonly quota: Quota;
  readonly created: boolean;
  /** Undefined if nothing changed. */
  readonly record: OrderRecord | undefined;
}

/**
 * Grants or corrects a quota: account, ledger line and audit line in one transaction. New users are
 * welcomed first, so it does not matter whether the first contact or the grant comes first. A
 * change without effect writes nothing.
 */
export async function grantQuota(
  table: Table,
  catalog: Catalog,
  order: GrantOrder,
  at = new Date(),
): Promise<Granted> {
  const account = accountOf(order);
  const created = (await readQuota(table, account)) === undefined;
  // An end or a renewal alone does not create a quota, because that would hide a typo in the path.
  if (created && !order.change.amounts) throw new QuotaNotFoundError(account);
  if (created) await welcomeUser(table, catalog, order.user, at);
  const written = await decideUntilWritten(async () => {
    const before = (await order.planBefore?.()) ?? [];
    const stored = await readQuota(table, account);
    const budget = order.fromBudget ? await readQuota(table, budgetOf(account)) : undefined;
    const decided = decideGrant(order, stored, at, budget);
    const { quota, steps: own } = await planSteps(table, order, stored, decided, at);
    const steps = [...before, ...own];
    if (steps.length > 0) await writeTransaction(table, steps);
    return { quota, record: decided.record };
  });
  // If somebody has already removed the quota again, the order was carried out all the same.
  const quota = (await readQuota(table, account)) ?? written.quota;
  return { quota, created, record: written.record };
}

/** An order applied to an account as it is, or to one that does not exist yet. */
export interface DecidedGrant {
  readonly planned: PlannedChange;
  /** Undefined if nothing changes. */
  readonly record: OrderRecord | undefined;
}

/** Decides an order. A leader's needs the budget that it is taken from. */
export function decideGrant(
  order: GrantOrder,
  stored: Quota | undefined,
  at: Date,
  budget?: Quota,
): DecidedGrant {
  const { user, project, change } = order;
  if (!stored && !change.amounts) throw new QuotaNotFoundError(accountOf(order));
  const before = stored ?? openQuota({ id: 0, user, project }, nothing);
  const planned = order.fromBudget
    ? planShare(order, before, budget, at)
    : { ...planChange(before, change, at), ...planTrim(before, change, at) };
  const refusal = judgeChange(accountOf(order), before, planned);
  if (refusal) throw refusal;
  if (stored && changesNothing(stored, planned)) return { planned, record: undefined };
  const changed = describeChange(before, planned);
  const share = order.fromBudget ? changed.line?.added : undefined;
  if (stored) return { planned, record: { ...changed, share } };
  const line = { kind: 'grant', added: planned.added } as const;
  return { planned, record: { act: 'quota-granted', line, share, details: changed.details } };
}

function planTrim(before: Quota, change: QuotaChange, at: Date): Pick<PlannedChange, 'share'> {
  const share = before.share && trimShare(before, planChange(before, change, at).added);
  return share && !isNothing(share) ? { share } : {};
}

/**
 * Plans a leader's change. It is all taken from the budget, so it ends no later than the budget, and
 * changes nothing that an administrator granted.
 */
function planShare(
  order: GrantOrder,
  before: Quota,
  budget: Quota | undefined,
  at: Date,
): PlannedChange {
  const account = accountOf(order);
  if (!budget) throw new BudgetNotFoundError(account);
  const isWhole = isWholeShare(before);
  if (!isWhole && order.change.validUntil !== undefined) {
    throw new NotFromBudgetError(account, before.share ?? nothing);
  }
  const end = order.change.validUntil ?? before.validUntil ?? budget.validUntil;
  const validUntil = isWhole && order.change.validUntil !== null ? end : order.change.validUntil;
  const planned = planChange(before, { ...order.change, validUntil }, at);
  const refusal = judgeShare(account, before, planned.added);
  if (refusal) throw refusal;
  if (
    isWhole &&
    budget.validUntil &&
    !(planned.validUntil && planned.validUntil <= budget.validUntil)
  ) {
    throw new BudgetEndsError(account, budget.validUntil);
  }
  return { ...planned, ...(!isNothing(planned.added) && { share: planned.added }) };
}

/** Plans the writes of an order, and the quota that they leave behind. */
async function planSteps(
  table: Table,
  order: GrantOrder,
  stored: Quota | undefined,
  { planned, record }: DecidedGrant,
  at: Date,
): Promise<{ readonly quota: Quota; readonly steps: readonly Step[] }> {
  const { quota, steps } = stored
    ? { quota: applyChange(stored, planned), steps: [changeQuota(stored, planned, at)] }
    : await openGranted(table, order, planned, at);
  return { quota, steps: record ? [...steps, ...recordOrder(order, record, at)] : [] };
}

/**
 * Takes a number for the quota. If another request opens the quota first, the number is lost, so
 * numbers have gaps.
 */
async function openGranted(
  table: Table,
  { user, project: { number, hpc, name } }: GrantOrder,
  { added, ...limits }: PlannedChange,
  at: Date,
) {
  const profile = await findProfile(table, user);
  const id = await takeNumbers(table, 'quota');
  const quota = openQuota({ id, user, project: { number, hpc, name } }, added, limits);
  return openAnotherQuota(profile, quota, at);
}

function describeChange(before: Quota, planned: PlannedChange): OrderRecord {
  const { added } = planned;
  const changesAmounts = !isNothing(added);
  const corrects = takesAway(planned) || !changesAmounts;
  return {
    act: corrects ? 'quota-corrected' : 'quota-granted',
    line: changesAmounts ? { kind: corrects ? 'correction' : 'grant', added } : undefined,
    details: {
      time: grow(before.time.granted, added.seconds),
      space: grow(before.space.granted, added.kilobytes),
      valid_until: {
        before: before.validUntil?.toISOString() ?? null,
        after: planned.validUntil?.toISOString() ?? null,
      },
      ...describeRenewalChange(before.renewal?.rule, planned.renewal?.rule),
    },
  };
}

function grow(before: number, added: number): Detail {
  return { before, after: before + added };
}
