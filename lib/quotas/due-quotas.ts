import { GetCommand, QueryCommand, type QueryCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { listExpiryShards, type PrimaryKey } from '../table/keys.ts';
import { parseItem } from '../table/parse-item.ts';
import type { Table } from '../table/table.ts';
import { type ExpiringQuota, expiringFromItem } from './expiry-item.ts';

const DueItem = v.object({ PK: v.string(), SK: v.string() });

const pageSize = 100;

/** The keys of all quotas for whose end something is to be done, page by page. */
export async function* findDueQuotas(table: Table, now: Date): AsyncGenerator<PrimaryKey[]> {
  for (const shard of listExpiryShards()) {
    let start: QueryCommandOutput['LastEvaluatedKey'];
    do {
      const { Items = [], LastEvaluatedKey }: QueryCommandOutput = await table.client.send(
        new QueryCommand({
          TableName: table.name,
          IndexName: 'due',
          KeyConditionExpression: '#due = :shard AND due_at <= :now',
          ExpressionAttributeNames: { '#due': 'due' },
          ExpressionAttributeValues: { ':shard': shard, ':now': now.toISOString() },
          Limit: pageSize,
          ExclusiveStartKey: start,
        }),
      );
      if (Items.length > 0) yield Items.map((item) => parseItem(DueItem, item));
      start = LastEvaluatedKey;
    } while (start);
  }
}

/** As it is now: the index lags behind. Nothing where it is not due any more. */
export async function readDueQuota(
  table: Table,
  { PK, SK }: PrimaryKey,
  now: Date,
): Promise<ExpiringQuota | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: { PK, SK }, ConsistentRead: true }),
  );
  const due = Item && expiringFromItem(Item);
  return due?.dueAt !== undefined && due.dueAt <= now.toISOString() ? due : undefined;
}
