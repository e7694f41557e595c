import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { StaleReadError } from '#lib/table/errors.ts';
import { countedEndKey, type PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten } from '#lib/table/writes/decide-until-written.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { dayOf } from '../counted-period.ts';
import type { EndedJob } from '../ended-job.ts';
import { type StoredSum, sumFromItem, sumToItem } from '../usage-item.ts';
import { addUsage } from '../usage-sum.ts';
import { type Addition, addUpEnds } from './add-up-ends.ts';
import { nameKey } from './name-key.ts';
import { packEnds } from './pack-ends.ts';

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
