import { phrase } from '../words/rows.ts';

/**
 * A cell and its end. Quoted cells hold separators, line breaks, and quotes that are doubled. Cells that
 * are copied from a spreadsheet have tabs between them, and may hold quotes as they are.
 */
const cellForms = {
  comma: /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y,
  tab: /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y,
};

export interface CsvRow {
  /** Counted from 1. */
  readonly line: number;
  /** Cells that are not empty, by the names in the first line. */
  readonly cells: Readonly<Record<string, string>>;
}

export class CsvBroken extends Error {}

/** Reads a table as RFC 4180 has it: a line of names, then the rows. Skips empty lines. */
export function parseCsv(text: string): { names: readonly string[]; rows: CsvRow[] } {
  const [head, ...records] = splitRecords(text.replace(/^\ufeff/, '')).filter(({ cells }) =>
    cells.some((cell) => cell !== ''),
  );
  const names = head?.cells ?? [];
  return { names, rows: records.map((record) => nameCells(names, record)) };
}

function nameCells(names: readonly string[], { line, cells }: CsvRecord): CsvRow {
  if (cells.length !== names.length) {
    throw new CsvBroken(phrase('cellsMissing', { line, cells: cells.length, names: names.length }));
  }
  const named = names.map((name, index) => [name, cells[index] ?? ''] as const);
  return { line, cells: Object.fromEntries(named.filter(([, cell]) => cell !== '')) };
}

interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

function splitRecords(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  const [head = ''] = text.split('\n');
  const cellForm = cellForms[head.includes('\t') && !head.includes(',') ? 'tab' : 'comma'];
  let cells: string[] = [];
  let line = 1;
  let start = line;
  cellForm.lastIndex = 0;
  for (;;) {
    const found = cellForm.exec(text);
    if (!found) throw new CsvBroken(phrase('quoteMisplaced', { line }));
    const [all, quoted, plain = '', end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',' || end === '\t') continue;
    records.push({ line: start, cells });
    if (end === '') return records;
    cells = [];
    start = line;
  }
}
