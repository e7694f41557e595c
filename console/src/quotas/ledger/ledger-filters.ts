import type { LedgerLine } from './ledger-lines.ts';

/** Which lines are shown, as the address says it. */
export interface LedgerFilters {
  readonly kind: string;
  /** The beginning of a job's id, or part of a reason. */
  readonly text: string;
}

export const lineKinds: readonly LedgerLine['kind'][] = [
  'grant',
  'hold',
  'settle',
  'refund',
  'correction',
  'expiry',
];

export function readLedgerFilters(query: URLSearchParams): LedgerFilters {
  return { kind: query.get('kind') ?? '', text: query.get('text') ?? '' };
}

export function selectLines(
  lines: readonly LedgerLine[],
  { kind, text }: LedgerFilters,
): readonly LedgerLine[] {
  const wanted = text.toLowerCase();
  return lines.filter(
    (line) =>
      (kind === '' || line.kind === kind) &&
      `${line.job_id ?? ''} ${line.reason} ${line.by}`.toLowerCase().includes(wanted),
  );
}
