import type { LedgerKind, StoredLine } from './ledger.ts';
import { type Amount, addUp, nothing, subtract } from './quota.ts';

/** Sums of ledger lines: granted + corrected - expired - held + returned = change. */
export interface LedgerSum extends Record<Part, Amount> {
  /** What jobs used of their holds. It is part of `held`, so the equation does not add it. */
  readonly used: Amount;
  /** The change of the remaining balance. */
  readonly change: Amount;
}

type Part = 'granted' | 'corrected' | 'expired' | 'held' | 'returned';

const partOf: Record<LedgerKind, Part> = {
  grant: 'granted',
  correction: 'corrected',
  expiry: 'expired',
  share: 'corrected',
  hold: 'held',
  settle: 'returned',
  refund: 'returned',
};

export function sumLines(lines: readonly StoredLine[]): LedgerSum {
  const total = (part: Part) => addUp(lines.filter(({ kind }) => partOf[kind] === part));
  return {
    granted: total('granted'),
    corrected: total('corrected'),
    expired: subtract(nothing, total('expired')),
    held: subtract(nothing, total('held')),
    returned: total('returned'),
    used: { seconds: lines.reduce((sum, { used }) => sum + used, 0), kilobytes: 0 },
    change: addUp(lines),
  };
}

/** Sums lines by day in UTC. Days come in the order of their newest lines. */
export function sumByDay(lines: readonly StoredLine[]): ReadonlyMap<string, LedgerSum> {
  return sumBy(lines, ({ at }) => at.toISOString().slice(0, 10));
}

/**
 * Sums the lines of jobs by job, and those of a batch and its jobs by batch, because the batch holds
 * for all of them at once. They come in the order of their newest lines.
 */
export function sumByJob(lines: readonly StoredLine[]): ReadonlyMap<string, LedgerSum> {
  return sumBy(
    lines.filter(({ jobId, batchId }) => jobId !== undefined || batchId !== undefined),
    ({ jobId = '', batchId = jobId }) => batchId,
  );
}

function sumBy(lines: readonly StoredLine[], keyOf: (line: StoredLine) => string) {
  const groups = [...Map.groupBy(lines, keyOf)];
  return new Map(groups.map(([key, group]) => [key, sumLines(group)]));
}
