import * as v from 'valibot';
import type { JobId } from '#lib/catalog/identifiers.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { StoredJobId } from '#lib/table/stored-names.ts';
import { type EndFacts, jobOutcomes, type LedgerKind, ledgerKinds } from './ledger.ts';
import type { Amount } from './quota.ts';

/** A stored ledger line. Its amounts are what it added to `left`. */
export interface StoredLine extends Amount {
  /** The sort key, which orders the ledger. */
  readonly key: string;
  readonly kind: LedgerKind;
  /** The seconds of its hold that a job used; 0 if the line does not settle a job. */
  readonly used: number;
  /** How the settled job ended. Missing in lines from before this was recorded. */
  readonly end?: EndFacts | undefined;
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
  outcome: v.optional(v.picklist(jobOutcomes)),
  waited: v.optional(v.number()),
  ran: v.optional(v.number()),
  excused: v.optional(v.number()),
  by_clock: v.optional(v.boolean()),
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
    end: endOf(item),
    at,
    by,
    reason,
    jobId: item.job_id,
    actId: item.act_id,
  };
}

function endOf(item: v.InferOutput<typeof LedgerItem>): EndFacts | undefined {
  const { outcome, waited, ran, excused, by_clock: byClock } = item;
  if (outcome === undefined) return undefined;
  return {
    outcome,
    ...(waited !== undefined && { waited }),
    ...(ran !== undefined && { ran }),
    ...(excused !== undefined && { excused }),
    ...(byClock !== undefined && { byClock }),
  };
}
