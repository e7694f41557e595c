import { GetCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { expiryDueKeys, listExpiryShards, type PrimaryKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { walkDue } from '#lib/table/reads/due-index.ts';
import type { Table } from '#lib/table/table.ts';
import type { Quota } from '../quota.ts';
import { quotaFromItem } from '../quota-item.ts';
import { type ExpiryStage, expiryStages, nextExpiryMoment } from './expiry-moments.ts';

/** A quota on its way to its end. */
export interface ExpiringQuota {
  readonly quota: Quota;
  /** The last warning that was given. */
  readonly warned: ExpiryStage | undefined;
  /** As it is stored: the condition of whatever is done about it. */
  readonly dueAt: string | undefined;
}

/** What is stored with a quota for its end alone. */
const ExpiryItem = v.object({
  expiry_warned: v.optional(v.picklist(expiryStages.map(({ name }) => name))),
  due_at: v.optional(v.string()),
});

export function expiringFromItem(stored: unknown): ExpiringQuota {
  const { expiry_warned: warned, due_at: dueAt } = parseItem(ExpiryItem, stored);
  return { quota: quotaFromItem(stored), warned, dueAt };
}

/** Where the clock finds a quota that ends, for its next warning or for its end. */
export function expiryKeys(quotaId: number, validUntil: Date, at: Date) {
  return expiryDueKeys(quotaId, nextExpiryMoment(validUntil, at).toISOString());
}

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
