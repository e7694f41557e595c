import { budgetHolder } from '#lib/catalog/identifiers.ts';
import type { RenewalPeriod } from '#lib/catalog/renewal.ts';
import { changeOf } from '#lib/table/change.ts';
import { sweepDue } from '#lib/table/due-index.ts';
import { listShards, type PrimaryKey, quotaKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import {
  aDayLater,
  announcementOf,
  type ExpiryStage,
  nextDueMoment,
  reachedStage,
  upcomingRenewal,
} from '../calendar.ts';
import { AccountChangedError } from '../errors.ts';
import { type LedgerLine, writeLedgerLine } from '../ledger.ts';
import { type Amount, accountOf, isNothing, nothing, type Quota, subtract } from '../quota.ts';
import { calendarToItem } from '../quota-item.ts';
import { computeRenewal, nextRenewal, type RenewalAmounts } from '../renewal.ts';
import { giveBackShare, lapsedShare } from '../shares/give-back-share.ts';
import { addToShare, expectShare } from '../shares/share.ts';
import { type DueQuota, dueQuotaFromItem } from './due-quota.ts';

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

/** Everything to do about a due quota, and when it is due again. */
export interface QuotaPlan {
  readonly warn?: ExpiryStage | undefined;
  /** The renewal to announce. */
  readonly announce?: Date | undefined;
  readonly renew?: PlannedRenewal | undefined;
  readonly takeBack?: { readonly left: Amount; readonly endedAt: Date } | undefined;
  readonly dueAgain: Date | undefined;
}

interface PlannedRenewal extends RenewalAmounts {
  readonly every: RenewalPeriod;
  /** The renewal's own moment, in the past. */
  readonly at: Date;
  /** The moment of the renewal after it, in the future. */
  readonly next: Date;
}

/** Plans what to do about a quota. A quota that has ended no longer renews. */
export function planQuota(due: DueQuota, now: Date): QuotaPlan {
  const { quota, warned, announced } = due;
  const { validUntil } = quota;
  if (validUntil && validUntil <= now) return planEnd(quota, validUntil, now);
  const renew = planRenewal(quota, now);
  const renewal = quota.renewal && renew ? { ...quota.renewal, next: renew.next } : quota.renewal;
  const afterwards = { ...quota, renewal };
  return {
    warn: planWarning(validUntil, warned, now),
    announce: planAnnouncement(upcomingRenewal(afterwards), announced, now),
    renew,
    dueAgain: nextDueMoment(afterwards, now),
  };
}

/** Plans one renewal, even if several moments have passed since the last one. */
function planRenewal(quota: Quota, now: Date): PlannedRenewal | undefined {
  const at = upcomingRenewal(quota);
  if (!quota.renewal || !at || at > now) return undefined;
  const { rule } = quota.renewal;
  return { ...computeRenewal(quota, rule), every: rule.every, at, next: nextRenewal(rule, now) };
}

/** Plans the latest warning that has not been given. Earlier ones that were missed are dropped. */
function planWarning(
  validUntil: Date | undefined,
  warned: ExpiryStage | undefined,
  now: Date,
): ExpiryStage | undefined {
  const stage = validUntil && reachedStage(validUntil, now);
  return stage === warned ? undefined : stage;
}

function planAnnouncement(
  renewal: Date | undefined,
  announced: Date | undefined,
  now: Date,
): Date | undefined {
  const isNear = renewal !== undefined && announcementOf(renewal) <= now;
  return isNear && renewal.getTime() !== announced?.getTime() ? renewal : undefined;
}

/**
 * Jobs keep their holds after the end of a quota. What they give back later cannot be used by
 * anyone, so while anything is held the quota stays due once a day to take that back, too.
 */
function planEnd({ time, space }: Quota, endedAt: Date, now: Date): QuotaPlan {
  const dueAgain = time.held > 0 || space.held > 0 ? aDayLater(now) : undefined;
  const left = { seconds: Math.max(0, time.left), kilobytes: Math.max(0, space.left) };
  return { ...(!isNothing(left) && { takeBack: { left, endedAt } }), dueAgain };
}
