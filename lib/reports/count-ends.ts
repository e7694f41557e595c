import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
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
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import type { EndedJob } from './ended-job.ts';
import { dayOf, monthOf } from './period.ts';
import { type StoredSum, type SumScope, sumFromItem, sumToItem } from './usage-item.ts';
import { addUsage, noUsage, type UsageSum, usageOf } from './usage-sum.ts';

/** What one transaction may write, and one batch may read. */
const mostItems = 100;

/** Somebody else has counted the same, or added to the same sum, since it was read. */
class SumChangedError extends StaleReadError {
  override readonly name = 'SumChangedError';
}

/**
 * Adds ended jobs to the sums of their users and projects, each once however often it is told: the
 * mark of an end is written with its sums or not at all. Says how many had not been counted before.
 */
export async function countEnds(table: Table, ends: readonly EndedJob[]): Promise<number> {
  const different = new Map(ends.map((end) => [nameKey(markKey(end)), end]));
  let counted = 0;
  for (const pack of packEnds([...different.values()], mostItems)) {
    counted += await decideUntilWritten(() => countPack(table, pack), pauseWithJitter);
  }
  return counted;
}

/** Everybody's ends of a day go into the same sum: those who met there must not meet again. */
function pauseWithJitter(round: number): Promise<unknown> {
  return sleep(Math.random() * Math.min(400, 20 * 2 ** round));
}

const Keyed = v.object({ PK: v.string(), SK: v.string() });

/** Of a pack that others count as well, those that they have not. */
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
  ]);
  return uncounted.length;
}

/**
 * It stays for good: whoever tells of an end years later, as the rebuilding of sums does, tells
 * nothing new.
 */
function markCounted(end: EndedJob): Step {
  return putUnlessChanged(
    { ...markKey(end), type: 'counted-end', schema_version: 1, day: dayOf(end.at) },
    { ConditionExpression: 'attribute_not_exists(PK)' },
  );
}

/** The number of jobs tells whether a sum has changed: whatever is added has some. */
function addToSum({ key, scope, usage }: Addition, before: StoredSum | undefined): Step {
  if (!before) {
    const condition = { ConditionExpression: 'attribute_not_exists(PK)' };
    return putUnlessChanged(sumToItem(key, { ...scope, usage }), condition);
  }
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
  return {
    write: (tableName) => ({ Put: { TableName: tableName, Item, ...condition } }),
    refuse: () => new SumChangedError('Others have counted meanwhile.'),
  };
}

function markKey({ account, jobId }: EndedJob): PrimaryKey {
  return countedEndKey(account, jobId);
}

/**
 * Ends in groups that can be written at once: one mark for each, and their sums. They are sorted
 * first, so that those which share sums come together.
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

/** What is added to one sum. */
export interface Addition extends SumPlace {
  readonly usage: UsageSum;
}

/** What ends come to in each of the sums that they belong to: each is written once for all of them. */
export function addUpEnds(ends: readonly EndedJob[]): Addition[] {
  const additions = new Map<string, Addition>();
  for (const end of ends) {
    const own = usageOf(end);
    for (const place of listSums(end)) {
      const name = nameKey(place.key);
      const usage = addUsage(additions.get(name)?.usage ?? noUsage, own);
      additions.set(name, { ...place, usage });
    }
  }
  return [...additions.values()];
}

/** A sum that an end is added to. */
interface SumPlace {
  readonly key: PrimaryKey;
  readonly scope: SumScope;
}

/** The user's and the project's, by day and by month. */
export function listSums({ account, at }: EndedJob): SumPlace[] {
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

/** One text for both parts of a key, to find its item by. */
export function nameKey({ PK, SK }: PrimaryKey): string {
  return `${PK} ${SK}`;
}
