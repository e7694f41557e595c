import { sweepDue } from '#lib/table/due-index.ts';
import { listQuotaShards, type PrimaryKey, quotaKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/transaction.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { type DueQuota, dueQuotaFromItem } from './due-quota.ts';
import { AccountChangedError } from './errors.ts';
import { type LedgerLine, writeLedgerLine } from './ledger.ts';
import { type PlannedRenewal, planQuota, type QuotaPlan } from './plan-quota.ts';
import { type Amount, accountOf, isNothing, nothing, type Quota, subtract } from './quota.ts';
import { renewalToItem } from './quota-item.ts';

/** How many quotas are handled in parallel. */
const width = 20;

/**
 * Handles all due quotas: warns before their end, takes back what remains at the end, announces
 * renewals and carries them out. Quotas that a sweep does not get to stay due for the next one. A
 * quota that fails does not stop the others.
 */
export async function attendQuotas(table: Table, clock = () => new Date()): Promise<void> {
  const attend = (key: PrimaryKey, now: Date) => attendQuota(table, key, now);
  const failures = await sweepDue(table, listQuotaShards(), attend, { width, clock });
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
    ]);
  } catch (error) {
    if (!(error instanceof AccountChangedError)) throw error;
  }
}

/** A part of an update: expressions and the values that they name. */
interface Change {
  readonly sets: readonly string[];
  readonly conditions?: readonly string[];
  readonly values: Readonly<Record<string, unknown>>;
}

function changeQuota({ quota, dueAt }: DueQuota, plan: QuotaPlan): Step {
  const { dueAgain } = plan;
  const changes = [
    keepCalendar(quota),
    ...noteTold(plan),
    ...changeAmounts(quota, plan),
    ...(dueAgain
      ? [{ sets: ['due_at = :again'], values: { ':again': dueAgain.toISOString() } }]
      : []),
  ];
  const sets = changes.flatMap((change) => change.sets);
  const conditions = changes.flatMap((change) => change.conditions ?? []);
  return {
    Update: {
      Key: quotaKey(accountOf(quota)),
      UpdateExpression: [
        ...(sets.length > 0 ? [`SET ${sets.join(', ')}`] : []),
        ...(dueAgain ? [] : ['REMOVE #due, due_at']),
      ].join(' '),
      ConditionExpression: ['due_at = :seen', ...conditions].join(' AND '),
      ...(!dueAgain && { ExpressionAttributeNames: { '#due': 'due' } }),
      ExpressionAttributeValues: Object.assign(
        { ':seen': dueAt },
        ...changes.map(({ values }) => values),
      ),
    },
    refuse: () => new AccountChangedError(),
  };
}

/** Requires the end and the renewal that the plan was based on. */
function keepCalendar({ validUntil, renewal }: Quota): Change {
  return {
    sets: [],
    conditions: [
      validUntil ? 'valid_until = :end' : 'attribute_not_exists(valid_until)',
      ...(renewal
        ? ['renews_next = :renewal', 'renews = :rule']
        : ['attribute_not_exists(renews_next)']),
    ],
    values: {
      ...(validUntil && { ':end': validUntil.toISOString() }),
      ...(renewal && {
        ':renewal': renewal.next.toISOString(),
        ':rule': renewalToItem(renewal.rule),
      }),
    },
  };
}

/** The table's stream turns each of these attributes into an event. Each is written once. */
function noteTold({ warn, announce }: QuotaPlan): Change[] {
  return [
    ...(warn ? [{ sets: ['expiry_warned = :stage'], values: { ':stage': warn } }] : []),
    ...(announce
      ? [{ sets: ['renewal_announced = :told'], values: { ':told': announce.toISOString() } }]
      : []),
  ];
}

function changeAmounts(quota: Quota, { takeBack, renew }: QuotaPlan): Change[] {
  if (takeBack) {
    return [addToLeft(quota, subtract(nothing, takeBack.left))];
  }
  if (!renew) return [];
  return [addToLeft(quota, subtract(renew.granted, renew.lapsed)), noteRenewal(renew)];
}

/** Changes `left` and `granted` by the same amount, if `left` is what the plan was based on. */
function addToLeft({ time, space }: Quota, { seconds, kilobytes }: Amount): Change {
  return {
    sets: [
      'time_granted = time_granted + :seconds',
      'time_left = time_left + :seconds',
      'space_granted = space_granted + :kilobytes',
      'space_left = space_left + :kilobytes',
    ],
    conditions: ['time_left = :time_left', 'space_left = :space_left'],
    values: {
      ':seconds': seconds,
      ':kilobytes': kilobytes,
      ':time_left': time.left,
      ':space_left': space.left,
    },
  };
}

/**
 * Copies `time_used` within the update, because a job may have settled since the quota was read.
 */
function noteRenewal({ at, next }: PlannedRenewal): Change {
  return {
    sets: ['renews_next = :next', 'renewed_at = :renewed', 'time_used_before = time_used'],
    values: { ':renewed': at.toISOString(), ':next': next.toISOString() },
  };
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
