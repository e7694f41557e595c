import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import type { TimeLeft } from '#lib/time/time-left.ts';
import { writeChange } from './change.ts';
import {
  type DataStep,
  dataSteps,
  listOwnSteps,
  listUpSteps,
  type StoredItem,
  type UpSteps,
} from './data-steps.ts';
import { TableBusyError } from './errors.ts';
import { dataStepsKey } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { readItem } from './reads.ts';
import type { Table } from './table.ts';
import { bringUp } from './versions.ts';
import { changeItem, updateIf } from './writes.ts';

/** Items that are read at once. They are read again if the process ends meanwhile. */
const pageSize = 100;
/** Few, because requests of users come first. */
const parallelWrites = 4;
/** For an item that others keep changing. */
const mostTries = 10;

const Key = v.object({ PK: v.string(), SK: v.string() });
const ProgressItem = v.object({
  /** All items are as this step left them. */
  rewritten_to: v.optional(v.number(), 0),
  /** Up to where a rewrite has come, and to which step it leads. */
  rewriting_after: v.optional(Key),
  rewriting_to: v.optional(v.number()),
});

/**
 * Returns a function that brings stored items up to their newest version until all are or its time
 * is up. It saves its place after every page, and the next call continues there, in whichever
 * process. Others may read and write meanwhile: an item is changed only as it was read.
 */
export function createRewriter(
  table: Table,
  steps: readonly DataStep[] = dataSteps,
): (time: Pick<TimeLeft, 'isOver'>) => Promise<void> {
  const own = listOwnSteps(steps);
  const newest = own.findLast(({ rewrites }) => rewrites)?.number ?? 0;
  const ups = listUpSteps(own);
  let isDone = newest === 0;
  return async ({ isOver }) => {
    if (isDone) return;
    const read = (stored: unknown) => parseItem(ProgressItem, stored);
    const progress = await readItem(table, dataStepsKey(), read);
    isDone = (progress?.rewritten_to ?? 0) >= newest;
    // What an earlier release has rewritten lacks the steps since.
    let after = progress?.rewriting_to === newest ? progress.rewriting_after : undefined;
    while (!isDone && !isOver()) {
      after = await rewritePage(table, ups, after);
      isDone = after === undefined;
      await changeItem(table, dataStepsKey(), {
        set: {
          rewriting_after: after,
          rewriting_to: isDone ? undefined : newest,
          ...(isDone && { rewritten_to: newest }),
        },
      });
    }
  };
}

/** Returns the key of the last item, or undefined after the last page. */
async function rewritePage(
  table: Table,
  ups: UpSteps,
  after: v.InferOutput<typeof Key> | undefined,
): Promise<v.InferOutput<typeof Key> | undefined> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      Limit: pageSize,
      ConsistentRead: true,
      ...(after && { ExclusiveStartKey: after }),
    }),
  );
  await mapInParallel(Items, parallelWrites, (item) => rewriteItem(table, ups, item));
  return LastEvaluatedKey && v.parse(Key, LastEvaluatedKey);
}

async function rewriteItem(table: Table, ups: UpSteps, seen: StoredItem): Promise<void> {
  const key = v.parse(Key, seen);
  let item: StoredItem | undefined = seen;
  for (let count = 0; item && count < mostTries; count += 1) {
    const before: StoredItem = item;
    const up = bringUp(before, ups);
    if (up === before) return;
    const names = Object.keys({ ...before, ...up }).filter(
      (name) => JSON.stringify(before[name]) !== JSON.stringify(up[name]),
    );
    const pick = (from: StoredItem) => Object.fromEntries(names.map((name) => [name, from[name]]));
    const change = writeChange({ set: pick(up), expect: pick(before) });
    if (await updateIf(table, { Key: key, ...change })) return;
    item = await readItem(table, key, (stored) => stored);
  }
  if (item) throw new TableBusyError();
}
