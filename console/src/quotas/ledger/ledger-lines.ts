import type { Ledger } from '#client/src/index.ts';

export type LedgerLine = Extract<Ledger[number], { kind: string }>;

/** Lines, not sums: which of them comes is decided by what was asked for. */
export function linesOf(ledger: Ledger): readonly LedgerLine[] {
  return ledger.flatMap((line) => ('kind' in line ? [line] : []));
}

/** What became of what one job reserved, in seconds. */
export function sumUpJob(lines: readonly LedgerLine[]): {
  readonly held: number;
  readonly returned: number;
} {
  const sum = (kind: LedgerLine['kind']) =>
    lines.filter((line) => line.kind === kind).reduce((total, { time }) => total + time, 0);
  return { held: 0 - sum('hold'), returned: sum('settle') };
}
