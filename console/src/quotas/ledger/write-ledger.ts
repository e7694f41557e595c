import type { LedgerLine } from './ledger-lines.ts';

const columns = [
  'at',
  'kind',
  'time',
  'space',
  'time_left',
  'space_left',
  'by',
  'reason',
  'job_id',
] as const;

/** RFC 4180, with the service's own names, seconds and UTC: for programs and spreadsheets. */
export function writeLedger(lines: readonly LedgerLine[]): string {
  const rows = lines.map((line) => columns.map((name) => writeCell(line[name])).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** What a spreadsheet would take for a formula is made text: reasons are written by anybody. */
function writeCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
