import { phrase } from '../words/rows.ts';
import { type CsvRecord, cutCells, readRecords } from './read-records.ts';

export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
  /** Cells that are not empty, by the names in the first line. */
  readonly cells: Readonly<Record<string, string>>;
}

export class CsvBroken extends Error {}

/**
 * Reads a table: a line of names, then the rows, one by one. Cells that are copied from a spreadsheet
 * have tabs between them, and may hold quotes as they are.
 */
export function parseCsv(text: string): { names: readonly string[]; rows: Iterable<CsvRow> } {
  const [head = ''] = text.split('\n', 1);
  const isPasted = head.includes('\t') && !head.includes(',');
  const records = readRecords(text, isPasted ? { separator: '\t', lenient: true } : {});
  const { value: first } = records.next();
  const names = first ? readCells(first) : [];
  return { names, rows: nameRows(names, records) };
}

function* nameRows(
  names: readonly string[],
  records: Iterable<CsvRecord>,
): Generator<CsvRow, undefined> {
  for (const record of records) {
    const { line } = record;
    const cells = readCells(record);
    if (cells.length !== names.length) {
      const count = { line, cells: cells.length, names: names.length };
      throw new CsvBroken(phrase('cellsMissing', count));
    }
    const named = names.map((name, index) => [name, cells[index] ?? ''] as const);
    yield { line, cells: Object.fromEntries(named.filter(([, cell]) => cell !== '')) };
  }
}

function readCells(record: CsvRecord): string[] {
  const { line, fault } = record;
  if (fault)
    throw new CsvBroken(phrase(fault === 'quotes' ? 'quoteMisplaced' : 'lineTooLong', { line }));
  return cutCells(record).map((cell) => cell.trim());
}
