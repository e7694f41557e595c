import type { DynamoDBRecord } from 'aws-lambda';
import * as v from 'valibot';
import { lineFromItem } from '#lib/quotas/ledger-item.ts';
import { type EndedJob, endFromLine } from '#lib/reports/ended-job.ts';
import { accountOfLedger } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readChange } from './item-change.ts';

const Keyed = v.object({ PK: v.string() });

/** The end of a job that a change of the table is: its settlement has just been written down. */
export function detectEnd(record: DynamoDBRecord): EndedJob | undefined {
  const { newItem } = readChange(record) ?? {};
  if (newItem?.type !== 'ledger-line') return undefined;
  const { PK } = parseItem(Keyed, newItem);
  return endFromLine(accountOfLedger(PK), lineFromItem(newItem));
}
