import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { listQuotaShards, type PrimaryKey, quotaKey } from '#lib/table/keys.ts';
import { walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { reportFailures } from '#lib/telemetry/report-failures.ts';
import { type DueQuota, dueQuotaFromItem } from './due-quota.ts';
import { AccountChangedError } from './errors.ts';
import { type LedgerLine, writeLedgerLine } from './ledger.ts';
import { type PlannedRenewal, planQuota, type QuotaPlan } from './plan-quota.ts';
import { type Amount, accountOf, type Quota } from './quota.ts';
import { renewalToItem } from './renewal-item.ts';

/** No page is begun after this, so that the sweep has ended before its function is ended. */
const sweepMs = 30_000;

const pageSize = 100;

/** How many quotas are looked at at a time. */
const width = 20;

/**
 * Warns of the end of quotas and takes back what is left at the end; announces renewals and makes
 * them. A sweep that dies, or has no time for all, leaves the rest due for the next one; one quota
 * that fails keeps none from its turn.
 */
export async function attendQuotas(table: Table, clock = () => new Date()): Promise<void> {
  const now = clock();
  const failures: unknown[] = [];
  const attend = (key: PrimaryKey) =>
    attendQuota(table, key, now).catch((error: unknown) => failures.push(error));
  for await (const page of walkDue(table, listQuotaShards(), now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, width, attend);
  }
  reportFailures(failures, 'Some quotas could not be attended to');
}

async function attendQuota(table: Table, key: PrimaryKey, now: Date): Promise<void> {
  const due = await readDueQuota(table, key, now);
  if (due) await carryOutPlan(table, due, planQuota(due, now), now);
}

/** As it is now: the index lags behind. Nothing where it is not due any more. */
async function readDueQuota(
  table: Table,
  { PK, SK }: PrimaryKey,
  now: Date,
): Promise<DueQuota | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  const due = Item && dueQuotaFromItem(Item);
  return due?.dueAt !== undefined && due.dueAt <= now.toISOString() ? due : undefined;
}

/**
 * Carries out what was planned, in one transaction, on condition that the quota is still due and
 * still ends and renews as it did: whoever prolongs it wins, and of several sweeps one does it.
 * Where somebody changed or used it since it was read, the next sweep sees.
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

/** Part of an update: expressions, and the values that they name. */
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
    write: (tableName) => ({
      Update: {
        TableName: tableName,
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
    }),
    refuse: () => new AccountChangedError(),
  };
}

/** What the plan was made by. */
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

/** The table's stream makes events of these, once, for each is written once. */
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
    const { seconds, kilobytes } = takeBack.left;
    return [addToLeft(quota, { seconds: -seconds, kilobytes: -kilobytes })];
  }
  if (!renew) return [];
  const { lapsed, granted } = renew;
  const added = {
    seconds: granted.seconds - lapsed.seconds,
    kilobytes: granted.kilobytes - lapsed.kilobytes,
  };
  return [addToLeft(quota, added), noteRenewal(renew)];
}

/** Left and granted change by the same; what was planned was planned by what is left. */
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

/** What has been used is taken from the item itself: a job may have used all of its hold since. */
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

/** First what lapses and then what is granted: lines of one moment are sorted by their kinds. */
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
  const { seconds, kilobytes } = amount;
  return isNothing(amount)
    ? []
    : [{ kind: 'expiry', seconds: 0 - seconds, kilobytes: 0 - kilobytes, reason }];
}

function isNothing({ seconds, kilobytes }: Amount): boolean {
  return seconds === 0 && kilobytes === 0;
}
