import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { settleSpending } from '#lib/spending/spending-store.ts';
import { ifMissing } from '#lib/table/conditions.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import {
  countedEndKey,
  type PrimaryKey,
  projectDayKey,
  projectMonthKey,
  userDayKey,
  userMonthKey,
} from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { countJobEnd } from '#lib/telemetry/measurements.ts';
import type { EndedJob } from './ended-job.ts';
import { dayOf, monthOf } from './period.ts';
import { type StoredSum, type SumScope, sumFromItem, sumToItem } from './usage-item.ts';
import { addUsage, noUsage, type UsageSum, usageOf } from './usage-sum.ts';

/** One less than a transaction writes, or one batch reads: costs are one more item. */
const mostItems = 99;

/**
 * Adds ended jobs to the sums of their users and projects, and what they cost to their month. Each
 * job counts once, however often it is reported, because its mark is written in one transaction
 * with its sums. Returns how many had not been counted before.
 */
export async function countEnds(table: Table, ends: readonly EndedJob[]): Promise<number> {
  const different = new Map(ends.map((end) => [nameKey(markKey(end)), end]));
  let counted = 0;
  for (const pack of packEnds([...different.values()], mostItems)) {
    counted += await decideUntilWritten(() => countPack(table, pack), pauseWithJitter);
  }
  return counted;
}

/**
 * All ends of a day go into the same sums. The jitter keeps processes that collided from colliding
 * again.
 */
function pauseWithJitter(round: number): Promise<unknown> {
  return sleep(Math.random() * Math.min(400, 20 * 2 ** round));
}

const Keyed = v.object({ PK: v.string(), SK: v.string() });

/** Counts only the ends that nobody else has counted yet. */
async function countPack(table: Table, pack: readonly EndedJob[]): Promise<number> {
  const marks = pack.map(markKey);
  const sums = addUpEnds(pack).map(({ key }) => key);
  const items = await readItems(table, [...marks, ...sums]);
  const stored = new Map(items.map((item) => [nameKey(parseItem(Keyed, item)), item]));
  const uncounted = pack.filter((end) => !stored.has(nameKey(markKey(end))));
  if (uncounted.length === 0) return 0;
  await writeTransaction(table, [
    ...uncounted.map(markCounted),
    ...addUpEnds(uncounted).map((addition) => {
      const item = stored.get(nameKey(addition.key));
      return addToSum(addition, item && sumFromItem(item));
    }),
    ...settleSpending(uncounted),
  ]);
  for (const { account, outcome, waited } of uncounted) countJobEnd(account.hpc, outcome, waited);
  return uncounted.length;
}

/**
 * The mark is never deleted, so an end that is reported again years later, as when sums are
 * rebuilt, is not counted twice.
 */
function markCounted(end: EndedJob): Step {
  return putUnlessChanged(
    { ...markKey(end), type: 'counted-end', schema_version: 1, day: dayOf(end.at) },
    ifMissing,
  );
}

/** The number of jobs shows whether a sum has changed, because every addition increases it. */
function addToSum({ key, scope, usage }: Addition, before: StoredSum | undefined): Step {
  if (!before) return putUnlessChanged(sumToItem(key, { ...scope, usage }), ifMissing);
  const sum = { ...scope, usage: addUsage(before.usage, usage) };
  return putUnlessChanged(sumToItem(key, sum), {
    ConditionExpression: 'jobs = :jobs',
    ExpressionAttributeValues: { ':jobs': before.usage.jobs },
  });
}

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Record<string, unknown>;
}

function putUnlessChanged(Item: Record<string, unknown> & PrimaryKey, condition: Condition): Step {
  return { Put: { Item, ...condition }, refuse: () => new StaleReadError() };
}

function markKey({ account, jobId }: EndedJob): PrimaryKey {
  return countedEndKey(account, jobId);
}

/**
 * Splits ends into groups that fit one transaction with a mark for each and their sums. Sorts them
 * first, so ends that share sums go together.
 */
export function packEnds(ends: readonly EndedJob[], mostItems: number): EndedJob[][] {
  const packs: EndedJob[][] = [];
  let pack: EndedJob[] = [];
  let sums = new Set<string>();
  for (const end of sortByAccount(ends)) {
    const own = listSums(end).map(({ key }) => nameKey(key));
    const together = new Set([...sums, ...own]);
    const fits = pack.length + 1 + together.size <= mostItems;
    if (!fits) packs.push(pack);
    pack = fits ? [...pack, end] : [end];
    sums = fits ? together : new Set(own);
  }
  return pack.length > 0 ? [...packs, pack] : packs;
}

function sortByAccount(ends: readonly EndedJob[]): EndedJob[] {
  const placeOf = ({ account: { hpc, project, user }, at }: EndedJob) =>
    `${hpc} ${project} ${user} ${at.toISOString()}`;
  return [...ends].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

export interface Addition extends SumTarget {
  readonly usage: UsageSum;
}

/** Adds up ends by the sums that they belong to, so each sum is written once. */
export function addUpEnds(ends: readonly EndedJob[]): Addition[] {
  const additions = new Map<string, Addition>();
  for (const end of ends) {
    const own = usageOf(end);
    for (const target of listSums(end)) {
      const name = nameKey(target.key);
      const usage = addUsage(additions.get(name)?.usage ?? noUsage, own);
      additions.set(name, { ...target, usage });
    }
  }
  return [...additions.values()];
}

interface SumTarget {
  readonly key: PrimaryKey;
  readonly scope: SumScope;
}

/** Lists the sums of the user and of the project, by day and by month. */
export function listSums({ account, at }: EndedJob): SumTarget[] {
  const { hpc, project } = account;
  const day = dayOf(at);
  const month = monthOf(day);
  return [
    { key: userDayKey(account, day), scope: { ...account, time: day } },
    { key: userMonthKey(account, month), scope: { ...account, time: month } },
    { key: projectDayKey(account, day), scope: { hpc, project, time: day } },
    { key: projectMonthKey(account, month), scope: { hpc, project, time: month } },
  ];
}

/** Joins both parts of a key, to look up its item. */
export function nameKey({ PK, SK }: PrimaryKey): string {
  return `${PK} ${SK}`;
}
