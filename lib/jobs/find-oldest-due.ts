import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { listDueShards } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';

const DueItem = v.object({ due_at: v.string() });

/** Seconds for which the job that waits longest on a system has been due; 0 where none is. */
export async function findOldestDue(table: Table, hpc: string, now = new Date()): Promise<number> {
  const waits = await Promise.all(
    listDueShards(hpc).map(async (shard) => {
      const { Items = [] } = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard AND due_at <= :now',
          ExpressionAttributeNames: { '#due': 'due' },
          ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          Limit: 1,
        }),
      );
      return Items.map((item) => now.getTime() - Date.parse(parseItem(DueItem, item).due_at));
    }),
  );
  return Math.round(Math.max(0, ...waits.flat()) / 1000);
}
