import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import type { Attributes } from '#lib/table/define-item.ts';
import { type DueKey, dueFromItem, findDue } from '#lib/table/due-index.ts';
import { checksOf, handOversOf, listShards } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readImage } from '#lib/table/read-image.ts';
import type { Table } from '#lib/table/table.ts';
import { readOrSkip } from '#lib/telemetry/read-or-skip.ts';
import type { Run, Sweep } from './sweep.ts';

/**
 * Due jobs that are read of each shard at a time. If all shards together have fewer, none are left.
 */
export const pageSize = 250;

/** Lists the jobs to hand over, by the keys of their lives. A run lists only its share. */
export function listDueHandOvers({ table, system, now }: Sweep, run: Run): Promise<DueKey[]> {
  return findDue(table, chooseHandOverShards(system, run), now(), pageSize);
}

/** Lists the jobs to check, which the system already has. */
export function listDueChecks({ table, system, now }: Sweep, run: Run): Promise<DueKey[]> {
  return findDue(table, chooseCheckShards(system, run), now(), pageSize);
}

export function chooseHandOverShards({ name }: HpcSystem, run: Run): string[] {
  return share(listShards(handOversOf(name)), run);
}

export function chooseCheckShards({ name }: HpcSystem, run: Run): string[] {
  return share(listShards(checksOf(name)), run);
}

function share(shards: readonly string[], { number, of }: Run): string[] {
  return shards.filter((_, place) => place % of === number);
}

/** Finds the due jobs in records of the table's stream, by system. */
export function groupDueJobs(
  records: readonly DynamoDBRecord[],
  now: Date,
): ReadonlyMap<string, readonly DueKey[]> {
  const due = records.flatMap((record) =>
    readOrSkip(record, ({ dynamodb }) => {
      const image = dynamodb?.NewImage && readImage(dynamodb.NewImage);
      if (!image || !isDueLife(image, now)) return [];
      return [{ hpc: parseItem(NamedSystem, image).hpc, key: dueFromItem(image) }];
    }),
  );
  const bySystem = Map.groupBy(due, ({ hpc }) => hpc);
  return new Map([...bySystem].map(([hpc, lives]) => [hpc, lives.map(({ key }) => key)]));
}

/** Reads only this field of the life, so that the function that only wakes others stays small. */
const NamedSystem = v.object({ hpc: v.string() });

/** A job that waits for others is due for a check of these, not for its hand-over. */
function isDueLife({ type, due_at: dueAt, waiting }: Attributes, now: Date): boolean {
  const isDue = typeof dueAt === 'string' && dueAt <= now.toISOString();
  return type === 'job-life' && isDue && waiting !== true;
}

/**
 * Returns the seconds for which the longest-waiting job of a system has been due, or 0 if none is.
 */
export async function measureLongestWait(
  table: Table,
  hpc: SystemName,
  now = new Date(),
): Promise<number> {
  const shards = [...listShards(handOversOf(hpc)), ...listShards(checksOf(hpc))];
  const firstOfEachShard = await findDue(table, shards, now, 1);
  const waits = firstOfEachShard.map(({ dueAt }) => now.getTime() - Date.parse(dueAt));
  return Math.round(Math.max(0, ...waits) / 1000);
}
