import { paginateQuery } from '@aws-sdk/lib-dynamodb';
import { type AccountKey, ledgerPartition } from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { lineFromItem, type StoredLine } from './stored-line.ts';

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
