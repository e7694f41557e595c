/** A cell and what ends it. A quoted one holds commas, line breaks, and quotes that are doubled. */
const cellForm = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

export interface CsvRow {
  /** Of the file, from 1. */
  readonly line: number;
  /** By the names of the first line, without those that are empty. */
  readonly cells: Readonly<Record<string, string>>;
}

export class CsvBroken extends Error {}

/** RFC 4180: a line of names, then the rows. Lines with nothing on them are left out. */
export function parseCsv(text: string): { names: readonly string[]; rows: CsvRow[] } {
  const [head, ...records] = splitRecords(text.replace(/^\ufeff/, '')).filter(({ cells }) =>
    cells.some((cell) => cell !== ''),
  );
  const names = head?.cells ?? [];
  return { names, rows: records.map((record) => nameCells(names, record)) };
}

function nameCells(names: readonly string[], { line, cells }: CsvRecord): CsvRow {
  if (cells.length !== names.length) {
    throw new CsvBroken(
      `Line ${line} has ${cells.length} cells, but the first line names ${names.length}.`,
    );
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
  let cells: string[] = [];
  let line = 1;
  let start = line;
  cellForm.lastIndex = 0;
  for (;;) {
    const found = cellForm.exec(text);
    if (!found) throw new CsvBroken(`The quotes of line ${line} are wrong.`);
    const [all, quoted, plain = '', end] = found;
    cells.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === ',') continue;
    records.push({ line: start, cells });
    if (end === '') return records;
    cells = [];
    start = line;
  }
}
