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
import { openAnotherQuota } from '../welcome/open-another-quota.ts';
import { welcomeUser } from '../welcome/welcome-user.ts';
import {
  changeQuota,
  changesNothing,
  judgeChange,
  type PlannedChange,
  planChange,
  type QuotaChange,
  takesAway,
} from './change-quota.ts';
import { describeRenewal } from './describe-renewal.ts';
import { type OrderOutcome, type QuotaOrder, recordOrder } from './quota-order.ts';

export interface GrantOrder extends QuotaOrder {
  readonly change: QuotaChange;
}

export interface Granted {
  readonly quota: Quota;
  /** Whether there was none before. */
  readonly created: boolean;
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
  await decideUntilWritten(async () => {
    const stored = await readQuota(table, account);
    const steps = stored ? changeSteps(order, stored, at) : await openingSteps(table, order, at);
    if (steps.length > 0) await writeTransaction(table, steps);
  });
  return { quota: await findQuota(table, account), created };
}

function changeSteps(order: GrantOrder, stored: Quota, at: Date): Step[] {
  const planned = plan(order, stored, at);
  if (changesNothing(stored, planned)) return [];
  return [
    changeQuota(stored, planned, at),
    ...recordOrder(order, describeChange(stored, planned), at),
  ];
}

/** A number that is taken for a quota which another request opens first is lost: numbers have gaps. */
async function openingSteps(table: Table, order: GrantOrder, at: Date): Promise<Step[]> {
  const { user, project, change } = order;
  if (!change.amounts) throw new QuotaNotFoundError(accountOf(order));
  const profile = await findProfile(table, user);
  const none = openQuota({ id: 0, user, project }, { seconds: 0, kilobytes: 0 });
  const planned = plan(order, none, at);
  const id = await takeNumbers(table, 'quota');
  const { validUntil, renewal } = planned;
  const quota = openQuota({ id, user, project }, planned.added, { validUntil, renewal });
  const { details } = describeChange(none, planned);
  const line = { kind: 'grant', added: planned.added } as const;
  return [
    ...openAnotherQuota(profile, quota, at),
    ...recordOrder(order, { act: 'quota-granted', line, details }, at),
  ];
}

function plan(order: GrantOrder, quota: Quota, at: Date): PlannedChange {
  const planned = planChange(quota, order.change, at);
  const refusal = judgeChange(accountOf(order), quota, planned);
  if (refusal) throw refusal;
  return planned;
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
      ...describeRenewals(before, planned),
    },
  };
}

/** Only where it changes: most quotas never renew. */
function describeRenewals(before: Quota, planned: PlannedChange): Record<string, Detail> {
  const [old, wanted] = [before, planned].map(({ renewal }) =>
    renewal ? describeRenewal(renewal.rule) : null,
  );
  return old === wanted ? {} : { renews: { before: old ?? null, after: wanted ?? null } };
}

function grow(before: number, added: number): Detail {
  return { before, after: before + added };
}
