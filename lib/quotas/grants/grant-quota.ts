import type { Detail } from '#lib/audit/act.ts';
import type { Catalog } from '#lib/catalog/catalog.ts';
import type { Table } from '#lib/table/table.ts';
import { takeNumbers } from '#lib/table/writes/counter.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { findProfile } from '#lib/users/profile-store.ts';
import { QuotaNotFoundError } from '../errors.ts';
import { accountOf, openQuota, type Quota } from '../quota.ts';
import { findQuota, readQuota } from '../quota-store.ts';
import { describeRenewalChange } from '../renewal.ts';
import { openAnotherQuota, welcomeUser } from '../welcome.ts';
import {
  changeQuota,
  changesNothing,
  judgeChange,
  type PlannedChange,
  planChange,
  type QuotaChange,
  takesAway,
} from './change-quota.ts';
import { type OrderOutcome, type QuotaOrder, recordOrder } from './quota-order.ts';

export interface GrantOrder extends QuotaOrder {
  readonly change: QuotaChange;
  /** What goes before it in the same transaction, and counts first; planned anew in each round. */
  readonly planBefore?: (() => Promise<readonly Step[]>) | undefined;
}

export interface Granted {
  readonly quota: Quota;
  /** Whether there was none before. */
  readonly created: boolean;
  /** Nothing where nothing changed. */
  readonly outcome: OrderOutcome | undefined;
}

/**
 * Grants a quota or corrects it: account, ledger line and audit line in one transaction. Whoever
 * was never seen is welcomed first, so the outcome is the same whether the first contact or the
 * grant comes first. A change that changes nothing writes nothing.
 */
export async function grantQuota(
  table: Table,
  catalog: Catalog,
  order: GrantOrder,
  at = new Date(),
): Promise<Granted> {
  const account = accountOf(order);
  const created = (await readQuota(table, account)) === undefined;
  // An end or a renewal alone makes no quota: that would hide a slip in the path.
  if (created && !order.change.amounts) throw new QuotaNotFoundError(account);
  if (created) await welcomeUser(table, catalog, order.user, at);
  const outcome = await decideUntilWritten(async () => {
    const before = (await order.planBefore?.()) ?? [];
    const stored = await readQuota(table, account);
    const decided = decideGrant(order, stored, at);
    const own = await listSteps(table, order, stored, decided, at);
    const steps = [...before, ...own];
    if (steps.length > 0) await writeTransaction(table, steps);
    return decided.outcome;
  });
  return { quota: await findQuota(table, account), created, outcome };
}

/** What an order comes to for an account as it is, or for one that is not there yet. */
export interface DecidedGrant {
  readonly planned: PlannedChange;
  /** Nothing where nothing changes. */
  readonly outcome: OrderOutcome | undefined;
}

export function decideGrant(order: GrantOrder, stored: Quota | undefined, at: Date): DecidedGrant {
  const { user, project, change } = order;
  if (!stored && !change.amounts) throw new QuotaNotFoundError(accountOf(order));
  const before = stored ?? openQuota({ id: 0, user, project }, { seconds: 0, kilobytes: 0 });
  const planned = planChange(before, change, at);
  const refusal = judgeChange(accountOf(order), before, planned);
  if (refusal) throw refusal;
  if (stored && changesNothing(stored, planned)) return { planned, outcome: undefined };
  const told = describeChange(before, planned);
  if (stored) return { planned, outcome: told };
  const line = { kind: 'grant', added: planned.added } as const;
  return { planned, outcome: { act: 'quota-granted', line, details: told.details } };
}

async function listSteps(
  table: Table,
  order: GrantOrder,
  stored: Quota | undefined,
  { planned, outcome }: DecidedGrant,
  at: Date,
): Promise<Step[]> {
  if (!outcome) return [];
  const change = stored
    ? [changeQuota(stored, planned, at)]
    : await openingSteps(table, order, planned, at);
  return [...change, ...recordOrder(order, outcome, at)];
}

/** A number that is taken for a quota which another request opens first is lost: numbers have gaps. */
async function openingSteps(
  table: Table,
  { user, project }: GrantOrder,
  { added, validUntil, renewal }: PlannedChange,
  at: Date,
): Promise<Step[]> {
  const profile = await findProfile(table, user);
  const id = await takeNumbers(table, 'quota');
  const quota = openQuota({ id, user, project }, added, { validUntil, renewal });
  return openAnotherQuota(profile, quota, at);
}

function describeChange(before: Quota, planned: PlannedChange): OrderOutcome {
  const { added } = planned;
  const changesAmounts = added.seconds !== 0 || added.kilobytes !== 0;
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
