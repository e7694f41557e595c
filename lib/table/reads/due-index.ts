import { paginateQuery, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { PrimaryKey } from '../keys.ts';
import { parseItem } from '../parse-item.ts';
import type { Table } from '../table.ts';
import { wasWritten } from '../writes/was-written.ts';

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
    shards.map((shard) =>
      table.client.send(new QueryCommand({ ...whatIsDue(table, shard, now), Limit: limitOfShard })),
    ),
  );
  return pages
    .flatMap(({ Items = [] }) => Items.map(dueFromItem))
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
    const pages = paginateQuery({ client: table.client, pageSize }, whatIsDue(table, shard, now));
    for await (const { Items = [] } of pages) {
      if (Items.length > 0) yield Items.map(dueFromItem);
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
    ...whatIsDue(table, shard, latest),
    KeyConditionExpression: '#due = :shard AND due_at > :now',
    Limit: limitOfShard,
  });
  const pages = await Promise.all(
    shards.map((shard) => table.client.send(new QueryCommand(ahead(shard)))),
  );
  return pages.flatMap(({ Items = [] }) => Items.map(dueFromItem));
}

/** Changes when an item is due. Returns false if somebody else has changed it since. */
export function moveDue(table: Table, { PK, SK, dueAt }: DueKey, to: Date): Promise<boolean> {
  return wasWritten(
    table.client.send(
      new UpdateCommand({
        TableName: table.name,
        Key: { PK, SK },
        UpdateExpression: 'SET due_at = :to',
        ConditionExpression: 'due_at = :seen',
        ExpressionAttributeValues: { ':to': to.toISOString(), ':seen': dueAt },
      }),
    ),
  );
}

export function dueFromItem(stored: unknown): DueKey {
  const { PK, SK, due_at: dueAt } = parseItem(DueItem, stored);
  return { PK, SK, dueAt };
}

function whatIsDue({ name }: Table, shard: string, now: Date) {
  return {
    TableName: name,
    IndexName: 'due',
    KeyConditionExpression: '#due = :shard AND due_at <= :now',
    ExpressionAttributeNames: { '#due': 'due' },
    ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
  };
}
