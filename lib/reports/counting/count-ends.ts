import * as v from 'valibot';
import { countedEndKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItems } from '#lib/table/reads/read-items.ts';
import type { Table } from '#lib/table/table.ts';
import { type Step, writeTransaction } from '#lib/table/writes/transaction.ts';
import { dayOf } from '../counted-period.ts';
import type { EndedJob } from '../ended-job.ts';
import { addToSum } from '../usage-item.ts';
import { addUpEnds, packEnds } from './add-up-ends.ts';

/** What one transaction may write. */
const mostWrites = 100;

/** Never leaves this file. */
class CountedBeforeError extends Error {}

/**
 * Adds ended jobs to the sums of their users and projects, each once however often it is told: the
 * mark of an end is written with the sums or not at all. Says how many had not been counted before.
 */
export async function countEnds(table: Table, ends: readonly EndedJob[]): Promise<number> {
  const different = new Map(ends.map((end) => [nameOf(end), end]));
  let counted = 0;
  for (const pack of packEnds([...different.values()], mostWrites)) {
    counted += await countPack(table, pack);
  }
  return counted;
}

/** Where some were counted before, the others are: each round that fails leaves fewer of them. */
async function countPack(table: Table, pack: readonly EndedJob[]): Promise<number> {
  let left = pack;
  while (left.length > 0) {
    try {
      await writeTransaction(table, [
        ...left.map(markCounted),
        ...addUpEnds(left).map(({ key, scope, usage, whole }) =>
          addToSum(key, scope, usage, whole),
        ),
      ]);
      return left.length;
    } catch (error) {
      if (!(error instanceof CountedBeforeError)) throw error;
      left = await dropCounted(table, left);
    }
  }
  return 0;
}

const Mark = v.object({ PK: v.string(), SK: v.string() });

/** Those that have no mark yet. No end may come twice. */
export async function dropCounted(table: Table, ends: readonly EndedJob[]): Promise<EndedJob[]> {
  const marks = await readItems(table, ends.map(markKey));
  const counted = new Set(marks.map((mark) => writeName(parseItem(Mark, mark))));
  return ends.filter((end) => !counted.has(nameOf(end)));
}

/**
 * It stays for good: whoever tells of an end years later, as the rebuilding of sums does, tells
 * nothing new.
 */
function markCounted(end: EndedJob): Step {
  const Item = { ...markKey(end), type: 'counted-end', schema_version: 1, day: dayOf(end.at) };
  return {
    write: (tableName) => ({
      Put: { TableName: tableName, Item, ConditionExpression: 'attribute_not_exists(PK)' },
    }),
    refuse: () => new CountedBeforeError('This end was counted before.'),
  };
}

function markKey({ account, jobId }: EndedJob) {
  return countedEndKey(account, jobId);
}

function nameOf(end: EndedJob): string {
  return writeName(markKey(end));
}

function writeName({ PK, SK }: v.InferOutput<typeof Mark>): string {
  return `${PK} ${SK}`;
}
