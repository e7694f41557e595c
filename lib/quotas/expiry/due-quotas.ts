import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { listExpiryShards, type PrimaryKey } from '#lib/table/keys.ts';
import { walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import { type ExpiringQuota, expiringFromItem } from './expiring-quota.ts';

const pageSize = 100;

/** The keys of all quotas for whose end something is to be done, page by page. */
export function findDueQuotas(table: Table, now: Date): AsyncGenerator<PrimaryKey[]> {
  return walkDue(table, listExpiryShards(), now, pageSize);
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
