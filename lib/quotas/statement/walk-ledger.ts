import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { type AccountKey, ledgerPartition } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredJobId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { type LedgerKind, ledgerKinds } from '../ledger.ts';
import type { Amount } from '../quota.ts';

/** Lines between two sort keys. */
export interface LedgerRange {
  readonly from: string;
  readonly to: string;
}

export interface Walk {
  /** The sort key of the line behind which it goes on. */
  readonly after?: string | undefined;
  /** How many lines are wanted, where that is known: no more are read at once. */
  readonly wanted?: number;
}

/** The lines of a ledger, the newest first, at the cost of those that are taken. */
export async function* walkLedger(
  table: Table,
  account: AccountKey,
  { from, to }: LedgerRange,
  { after, wanted }: Walk = {},
): AsyncGenerator<StoredLine> {
  if (from > to) return;
  const ledger = ledgerPartition(account);
  const pages = paginateQuery(
    { client: table.client },
    {
      TableName: table.name,
      KeyConditionExpression: 'PK = :ledger AND SK BETWEEN :from AND :to',
      ExpressionAttributeValues: { ':ledger': ledger, ':from': from, ':to': to },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: wanted,
      ExclusiveStartKey: after === undefined ? undefined : { PK: ledger, SK: after },
    },
  );
  for await (const { Items = [] } of pages) yield* Items.map(lineFromItem);
}

/** A line of a ledger as it is read. Its amounts are what it added to what is left. */
export interface StoredLine extends Amount {
  /** The sort key: its place in the ledger. */
  readonly key: string;
  readonly kind: LedgerKind;
  /** The seconds that a job used of what it held; 0 where the line settles no job. */
  readonly used: number;
  readonly at: Date;
  readonly by: string;
  readonly reason: string;
  readonly jobId: JobId | undefined;
  readonly actId: string | undefined;
}

const LedgerItem = v.object({
  SK: v.string(),
  type: v.literal('ledger-line'),
  schema_version: v.literal(1),
  kind: v.picklist(ledgerKinds),
  seconds: v.number(),
  kilobytes: v.number(),
  used: v.optional(v.number(), 0),
  at: v.string(),
  by: v.string(),
  reason: v.string(),
  job_id: v.optional(StoredJobId),
  act_id: v.optional(v.string()),
});

export function lineFromItem(stored: unknown): StoredLine {
  const item = parseItem(LedgerItem, stored);
  const { SK: key, kind, seconds, kilobytes, used, by, reason } = item;
  const at = new Date(item.at);
  return {
    key,
    kind,
    seconds,
    kilobytes,
    used,
    at,
    by,
    reason,
    jobId: item.job_id,
    actId: item.act_id,
  };
}
