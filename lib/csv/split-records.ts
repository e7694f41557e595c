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

/** Splits only the first record. `next` is where the second begins. */
export function splitFirst(
  text: string,
): { readonly cells: readonly string[]; readonly next: number } | undefined {
  const record = splitRecord(text, 0);
  return record && { cells: record.cells, next: record.next ?? text.length };
}

function hasContent({ cells }: CsvRecord): boolean {
  return cells === undefined || cells.some((cell) => cell.trim() !== '');
}

function splitLines(text: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let line = 1;
  let at = 0;
  for (;;) {
    const start = line;
    const record = splitRecord(text, at);
    if (!record) return [...records, { line: start, cells: undefined }];
    records.push({ line: start, cells: record.cells });
    if (record.next === undefined) return records;
    line += record.breaks;
    at = record.next;
  }
}

/** Returns undefined if the quotes are wrong. */
function splitRecord(text: string, at: number): Split | undefined {
  return splitPlainLine(text, at) ?? splitQuoted(text, at);
}

interface Split {
  readonly cells: readonly string[];
  readonly breaks: number;
  /** Where the next record begins. Undefined at the end of the text. */
  readonly next: number | undefined;
}

const lineEnd = /\r\n|\n|\r/g;

/** Most lines have no quotes, and are split much faster so. Returns undefined for a quoted one. */
function splitPlainLine(text: string, at: number): Split | undefined {
  lineEnd.lastIndex = at;
  const found = lineEnd.exec(text);
  const plain = text.slice(at, found?.index);
  if (plain.includes('"')) return undefined;
  return { cells: plain.split(','), breaks: 1, next: found ? lineEnd.lastIndex : undefined };
}

function splitQuoted(text: string, at: number): Split | undefined {
  const cells: string[] = [];
  let breaks = 0;
  cellForm.lastIndex = at;
  for (;;) {
    const cell = cellForm.exec(text);
    if (!cell) return undefined;
    const [, quoted, plain = '', end = ''] = cell;
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    breaks += countBreaks(quoted ?? '') + countBreaks(end);
    if (end !== ',') return { cells, breaks, next: end === '' ? undefined : cellForm.lastIndex };
  }
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}

export const brokenQuotes =
  'The quotes are wrong: a quote must enclose the whole cell, and quotes inside are doubled. The rest of the file was not read.';
