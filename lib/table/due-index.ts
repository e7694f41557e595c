import * as v from 'valibot';
import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';
import { type Change, writeChange } from './change.ts';
import type { PrimaryKey } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { queryPage, queryPages } from './reads.ts';
import type { Table } from './table.ts';
import { unlessRefused, updateItem } from './writes.ts';

/** The key of an item that is due, and since when. */
export interface DueKey extends PrimaryKey {
  readonly dueAt: string;
}

const DueItem = v.object({ PK: v.string(), SK: v.string(), due_at: v.string() });

/** Finds due items, at most `limitOfShard` from each shard, those that wait longest first. */
export async function findDue(
  table: Table,
  shards: readonly string[],
  now: Date,
  limitOfShard: number,
): Promise<DueKey[]> {
  const pages = await Promise.all(
    shards.map((shard) => queryPage(table, { ...whatIsDue(shard, now), Limit: limitOfShard })),
  );
  return pages
    .flatMap(({ Items }) => Items.map(dueFromItem))
    .sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1));
}

/** Walks all due items, shard by shard and page by page. */
export async function* walkDue(
  table: Table,
  shards: readonly string[],
  now: Date,
  pageSize: number,
): AsyncGenerator<DueKey[]> {
  for (const shard of shards) {
    const query = { ...whatIsDue(shard, now), Limit: pageSize };
    for await (const page of queryPages(table, query, dueFromItem)) {
      if (page.length > 0) yield page;
    }
  }
}

/**
 * Finds items that are due later than anything is ever put off. They were written before the clock
 * was set back, and would wait until the clock catches up.
 */
export async function findTooFarAhead(
  table: Table,
  shards: readonly string[],
  latest: Date,
  limitOfShard: number,
): Promise<DueKey[]> {
  const ahead = (shard: string) => ({
    ...whatIsDue(shard, latest),
    KeyConditionExpression: '#due = :shard AND due_at > :now',
    Limit: limitOfShard,
  });
  const pages = await Promise.all(shards.map((shard) => queryPage(table, ahead(shard))));
  return pages.flatMap(({ Items }) => Items.map(dueFromItem));
}

/**
 * Changes a due item unless another process was first: the condition names the due date that was
 * read. Returns the item as it is then, or undefined.
 */
export async function changeDue(table: Table, { PK, SK, dueAt }: DueKey, change: Change) {
  const changed = await unlessRefused(
    updateItem(table, {
      Key: { PK, SK },
      ...writeChange({ ...change, expect: { due_at: dueAt } }),
      ReturnValues: 'ALL_NEW',
    }),
  );
  return changed?.Attributes;
}

/**
 * Claims a due item, which nobody else handles until it is due again, or puts it off. What counts its
 * tries belongs into the same write, so that a try that kills its process counts, too.
 */
export function moveDue(table: Table, due: DueKey, until: Date, count: Change['add'] = {}) {
  return changeDue(table, due, { set: { due_at: until.toISOString() }, add: count });
}

export function dueFromItem(stored: unknown): DueKey {
  const { PK, SK, due_at: dueAt } = parseItem(DueItem, stored);
  return { PK, SK, dueAt };
}

function whatIsDue(shard: string, now: Date) {
  return {
    IndexName: 'due',
    KeyConditionExpression: '#due = :shard AND due_at <= :now',
    ExpressionAttributeNames: { '#due': 'due' },
    ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
  };
}

export interface SweepOptions {
  /** How many items are handled in parallel. */
  readonly width: number;
  readonly clock: () => Date;
}

/** No page is read after this time, so a sweep ends before its function's timeout. */
const sweepMs = 30_000;

const pageSize = 100;

/**
 * Handles everything that is due and returns the failures, so one item does not stop the others.
 * What fails, or what a sweep does not get to, stays due for the next one. The index lags behind,
 * so `handle` must read the item itself.
 */
export async function sweepDue(
  table: Table,
  shards: readonly string[],
  handle: (key: DueKey, now: Date) => Promise<unknown>,
  { width, clock }: SweepOptions,
): Promise<unknown[]> {
  const now = clock();
  const failures: unknown[] = [];
  const handleOne = (key: DueKey) =>
    handle(key, now).catch((error: unknown) => failures.push(error));
  for await (const page of walkDue(table, shards, now, pageSize)) {
    if (clock().getTime() - now.getTime() > sweepMs) break;
    await mapInParallel(page, width, handleOne);
  }
  return failures;
}
