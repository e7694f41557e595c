import { paginateScan } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { lineFromItem } from '#lib/quotas/ledger-item.ts';
import { type EndedJob, endFromLine } from '#lib/reports/ended-job.ts';
import { type StoredSum, sumFromItem } from '#lib/reports/usage-item.ts';
import { accountOfLedger } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import type { Table } from '#lib/table/table.ts';
import { recallEnds, type Settlement } from './recall-ends.ts';

export interface UsageRun {
  readonly ends: readonly EndedJob[];
  readonly sums: readonly StoredSum[];
  readonly itemsRead: number;
}

const Keyed = v.object({ PK: v.string() });

/**
 * All settlements and all sums, page by page. A Scan, as the export is one: a ledger outlives its
 * quota, so that no index lists them all. No request comes here.
 */
export async function* scanUsage(table: Table): AsyncGenerator<UsageRun> {
  let itemsRead = 0;
  const pages = paginateScan(
    { client: table.client },
    {
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: '#type = :sum OR (#type = :line AND kind = :settle)',
      ExpressionAttributeNames: { '#type': 'type' },
      ExpressionAttributeValues: {
        ':sum': 'usage-sum',
        ':line': 'ledger-line',
        ':settle': 'settle',
      },
    },
  );
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    itemsRead += ScannedCount;
    const [sums, lines] = [Items.filter(isSum), Items.filter((item) => !isSum(item))];
    const settlements = lines.map((item) => ({
      account: accountOfLedger(parseItem(Keyed, item).PK),
      line: lineFromItem(item),
    }));
    yield { ends: await readEnds(table, settlements), sums: sums.map(sumFromItem), itemsRead };
  }
}

async function readEnds(table: Table, settlements: readonly Settlement[]): Promise<EndedJob[]> {
  const told = settlements.flatMap(({ account, line }) => endFromLine(account, line) ?? []);
  const older = settlements.filter(({ line }) => line.end === undefined);
  return [...told, ...(await recallEnds(table, older))];
}

function isSum({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'usage-sum';
}
