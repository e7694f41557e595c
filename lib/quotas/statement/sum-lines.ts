import type { LedgerKind } from '../ledger.ts';
import type { Amount } from '../quota.ts';
import type { StoredLine } from './stored-line.ts';

/**
 * What became of an account by some of its lines:
 * granted + corrected - expired - held + returned = change.
 */
export interface LedgerSum extends Record<Part, Amount> {
  /** Of what jobs held, what they used: it was held before, and is in no other number. */
  readonly used: Amount;
  /** What it all added to what is left. */
  readonly change: Amount;
}

type Part = 'granted' | 'corrected' | 'expired' | 'held' | 'returned';

const partOf: Record<LedgerKind, Part> = {
  grant: 'granted',
  correction: 'corrected',
  expiry: 'expired',
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

/** Days in UTC, in the order of their newest lines. */
export function sumByDay(lines: readonly StoredLine[]): ReadonlyMap<string, LedgerSum> {
  return sumBy(lines, ({ at }) => at.toISOString().slice(0, 10));
}

/** Jobs in the order of their newest lines. */
export function sumByJob(lines: readonly StoredLine[]): ReadonlyMap<string, LedgerSum> {
  return sumBy(
    lines.filter(({ jobId }) => jobId !== undefined),
    ({ jobId = '' }) => jobId,
  );
}

function sumBy(lines: readonly StoredLine[], keyOf: (line: StoredLine) => string) {
  const groups = [...Map.groupBy(lines, keyOf)];
  return new Map(groups.map(([key, group]) => [key, sumLines(group)]));
}

export const nothing: Amount = { seconds: 0, kilobytes: 0 };

export function addUp(amounts: readonly Amount[]): Amount {
  return amounts.reduce(
    (sum, { seconds, kilobytes }) => ({
      seconds: sum.seconds + seconds,
      kilobytes: sum.kilobytes + kilobytes,
    }),
    nothing,
  );
}

export function subtract(from: Amount, { seconds, kilobytes }: Amount): Amount {
  return { seconds: from.seconds - seconds, kilobytes: from.kilobytes - kilobytes };
}
