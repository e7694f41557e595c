import type { JobId } from '#lib/catalog/identifiers.ts';
import type { EndFacts } from '#lib/quotas/ledger.ts';
import type { StoredLine } from '#lib/quotas/ledger-item.ts';
import type { AccountKey } from '#lib/table/keys.ts';

/** A job that was settled, as its ledger line says it. */
export interface EndedJob extends EndFacts {
  readonly account: AccountKey;
  readonly jobId: JobId;
  /** When it was settled: the day of its ledger line is the day that it counts for. */
  readonly at: Date;
  /** Seconds, as they were charged. */
  readonly used: number;
}

/** Nothing where a line settles no job, or was written before the facts of an end were noted. */
export function endFromLine(account: AccountKey, line: StoredLine): EndedJob | undefined {
  const { kind, jobId, at, used, end } = line;
  if (kind !== 'settle' || jobId === undefined || !end) return undefined;
  return { account, jobId, at, used, ...end };
}
