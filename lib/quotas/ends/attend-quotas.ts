import { budgetHolder } from '#lib/catalog/identifiers.ts';
import { changeOf } from '#lib/table/change.ts';
import { sweepDue } from '#lib/table/due-index.ts';
import { listShards, type PrimaryKey, quotaKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { AccountChangedError } from '../errors.ts';
import { type LedgerLine, writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, isNothing, nothing, subtract } from '../quota.ts';
import { calendarToItem } from '../quota-item.ts';
import { giveBackShare, lapsedShare } from '../shares/give-back-share.ts';
import { addToShare, expectShare } from '../shares/share.ts';
import { type DueQuota, dueQuotaFromItem } from './due-quota.ts';
import { planQuota, type QuotaPlan } from './plan-quota.ts';

/** How many quotas are handled in parallel. */
const width = 20;

/**
 * Handles all due quotas: warns before their end, takes back what remains at the end, announces
 * renewals and carries them out. Quotas that a sweep does not get to stay due for the next one. A
 * quota that fails does not stop the others.
 */
export async function attendQuotas(table: Table, clock = () => new Date()): Promise<void> {
  const attend = (key: PrimaryKey, now: Date) => attendQuota(table, key, now);
  const failures = await sweepDue(table, listShards('EXPIRY'), attend, { width, clock });
  reportFailures(failures, 'Some due quotas could not be handled');
}

async function attendQuota(table: Table, key: PrimaryKey, now: Date): Promise<void> {
  const due = await readDueQuota(table, key, now);
  if (due) await carryOutPlan(table, due, planQuota(due, now), now);
}

/**
 * Reads the quota itself, because the index lags behind. Returns undefined if it is no longer due.
 */
async function readDueQuota(
  table: Table,
  key: PrimaryKey,
  now: Date,
): Promise<DueQuota | undefined> {
  const due = await readItem(table, key, dueQuotaFromItem);
  return due?.dueAt !== undefined && due.dueAt <= now.toISOString() ? due : undefined;
}

/**
 * Carries out a plan in one transaction. The condition is that the quota is still due, with the
 * same end and renewal, so an administrator's change wins and only one of several sweeps succeeds.
 * If the quota has changed since it was read, the next sweep plans again.
 */
export async function carryOutPlan(
  table: Table,
  due: DueQuota,
  plan: QuotaPlan,
  now: Date,
): Promise<void> {
  const { quota } = due;
  const lines = [...listTakenBack(plan), ...listRenewed(plan)];
  const line = { ...accountOf(quota), at: now, by: 'slipway' };
  try {
    await writeTransaction(table, [
      changeQuota(due, plan),
      ...lines.map((change) => writeLedgerLine({ ...line, ...change })),
      ...giveBackShare(quota, {
        lapsed: lapsedAmount(plan),
        reason: plan.takeBack ? 'end of a quota' : 'renewal of a quota',
        at: now,
      }),
    ]);
  } catch (error) {
    if (!(error instanceof AccountChangedError)) throw error;
  }
}

/**
 * Requires the end, the renewal and the amounts that the plan was based on. The table's stream turns
 * a warning and an announcement into an event, so each is written once. `time_used` is copied within
 * the update, because a job may have settled since the quota was read.
 */
function changeQuota({ quota, dueAt }: DueQuota, plan: QuotaPlan): Step {
  const { warn, announce, renew, dueAgain } = plan;
  const added = planAmounts(plan);
  return {
    Update: changeOf(quotaKey(accountOf(quota)), {
      set: {
        ...(warn && { expiry_warned: warn }),
        ...(announce && { renewal_announced: announce.toISOString() }),
        ...(renew && {
          renews_next: renew.next.toISOString(),
          renewed_at: renew.at.toISOString(),
        }),
        ...(!dueAgain && { due: undefined }),
        due_at: dueAgain?.toISOString(),
      },
      ...(renew && { compute: { time_used_before: 'time_used' } }),
      ...(added && {
        add: {
          time_granted: added.seconds,
          time_left: added.seconds,
          space_granted: added.kilobytes,
          space_left: added.kilobytes,
          ...addToShare(subtract(nothing, lapsedShare(quota, lapsedAmount(plan)))),
        },
      }),
      expect: {
        due_at: dueAt,
        ...calendarToItem(quota),
        ...(added && {
          time_left: quota.time.left,
          space_left: quota.space.left,
          ...(quota.user !== budgetHolder && expectShare(quota)),
        }),
      },
    }),
    refuse: () => new AccountChangedError(),
  };
}

function lapsedAmount({ takeBack, renew }: QuotaPlan): Amount {
  return takeBack?.left ?? renew?.lapsed ?? nothing;
}

/** Returns the change of both `left` and `granted`, if there is one. */
function planAmounts({ takeBack, renew }: QuotaPlan): Amount | undefined {
  if (takeBack) return subtract(nothing, takeBack.left);
  return renew && subtract(renew.granted, renew.lapsed);
}

type Line = Pick<LedgerLine, 'kind' | 'seconds' | 'kilobytes' | 'reason'>;

function listTakenBack({ takeBack }: QuotaPlan): Line[] {
  return takeBack
    ? listExpired(takeBack.left, `valid until ${takeBack.endedAt.toISOString()}`)
    : [];
}

/** The lapse comes before the grant, because lines of the same moment are sorted by kind. */
function listRenewed({ renew }: QuotaPlan): Line[] {
  if (!renew) return [];
  const { every, at, lapsed, granted } = renew;
  const reason = `${every} renewal of ${at.toISOString().slice(0, 10)}`;
  return [
    ...listExpired(lapsed, reason),
    ...(isNothing(granted) ? [] : [{ kind: 'grant' as const, ...granted, reason }]),
  ];
}

function listExpired(amount: Amount, reason: string): Line[] {
  return isNothing(amount) ? [] : [{ kind: 'expiry', ...subtract(nothing, amount), reason }];
}
