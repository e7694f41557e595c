import type { JobId } from '#lib/catalog/identifiers.ts';
import type { EndFacts, StoredLine } from '#lib/quotas/ledger.ts';
import type { AccountKey } from '#lib/table/keys.ts';

/** A settled job, as its ledger line describes it. */
export interface EndedJob extends EndFacts {
  readonly account: AccountKey;
  readonly jobId: JobId;
  /** When the job was settled. It counts for the day of its ledger line. */
  readonly at: Date;
  /** Seconds charged. */
  readonly used: number;
  /** Seconds that would have been charged if the job had used all of its granted time. */
  readonly asked?: number;
  /** On a system with a price, in millionths of a US dollar. */
  readonly cost?: NonNullable<StoredLine['cost']>;
}

/**
 * Returns undefined if the line does not settle a job, or was written before such facts were
 * recorded.
 */
export function endFromLine(account: AccountKey, line: StoredLine): EndedJob | undefined {
  const { kind, jobId, at, used, seconds: returned, end, cost } = line;
  if (kind !== 'settle' || jobId === undefined || !end) return undefined;
  const asked = used + returned;
  // A line in the ledger of a budget says whose job it was.
  const owner = line.member === undefined ? account : { ...account, user: line.member };
  return { account: owner, jobId, at, used, asked, ...end, ...(cost && { cost }) };
}
