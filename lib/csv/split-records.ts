/** A line of CSV. A quoted cell may hold line breaks, so a record may span several lines. */
export interface CsvRecord {
  readonly line: number;
  /** Undefined if the text cannot be read from here on. */
  readonly cells: readonly string[] | undefined;
}

/** A cell and its end. A quoted cell may hold commas, line breaks and doubled quotes. */
const cellForm = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;

/** Splits CSV (RFC 4180) into records. Empty lines are skipped, but counted. */
export function splitRecords(text: string): CsvRecord[] {
  return splitLines(text).filter(hasContent);
}

function hasContent({ cells }: CsvRecord): boolean {
  return cells === undefined || cells.some((cell) => cell.trim() !== '');
}

function splitLines(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let start = 1;
  let line = 1;
  cellForm.lastIndex = 0;
  for (;;) {
    const cell = cellForm.exec(text);
    if (!cell) return [...records, { line: start, cells: undefined }];
    const [, quoted, plain = '', end = ''] = cell;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += countBreaks(quoted ?? '') + countBreaks(end);
    if (end === ',') continue;
    records.push({ line: start, cells });
    if (end === '') return records;
    cells = [];
    start = line;
  }
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

export const brokenQuotes =
  'The quotes are wrong: a quote must enclose the whole cell, and quotes inside are doubled. The rest of the file was not read.';
