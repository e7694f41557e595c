const tab = 9;
const lineFeed = 10;
const carriageReturn = 13;
const space = 32;
const quote = 34;

/** Nobody means a longer cell. A forgotten quote makes one cell of all that follows. */
export const longestCell = 100_000;
/** Nobody means more cells in one record. */
export const mostCells = 1000;
/** Blank records after these are not skipped, so that whoever counts records can stop there too. */
const mostBlank = 10_000;

interface CsvForm {
  /** Default: a comma. */
  readonly separator?: string;
  /** Takes misplaced quotes as they are, and any number of cells. Otherwise reading ends there. */
  readonly lenient?: boolean;
}

/** Where a record is in its text. `cutCells` cuts its cells out, because most are only counted. */
export interface CsvRecord {
  /** The line on which it begins, counted from 1. */
  readonly line: number;
  /** How many cells it has. */
  readonly size: number;
  /** The letters of its longest cell, with its quotes. */
  readonly widest: number;
  /** Why it cannot be read: misplaced quotes, a cell that is too long, or too many of them. */
  readonly fault: 'quotes' | 'length' | 'cells' | undefined;
  readonly source: Source;
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

interface Source {
  readonly text: string;
  readonly separator: number;
  readonly lenient: boolean;
}

/**
 * Reads CSV (RFC 4180) record by record, so that whoever counts them can stop. A quoted cell may hold
 * separators, line breaks and doubled quotes. Skips a byte order mark and empty lines. A record with
 * a fault is the last one.
 */
export function* readRecords(text: string, form: CsvForm = {}): Generator<CsvRecord, undefined> {
  const { separator = ',', lenient = false } = form;
  const source = { text, separator: separator.charCodeAt(0), lenient };
  const place = { at: text.startsWith('\ufeff') ? 1 : 0, line: 1 };
  let blank = 0;
  while (skipEmptyLines(source, place)) {
    const record = readPlain(source, place) ?? readQuoted(source, place);
    if (blank < mostBlank && isBlank(record)) blank += 1;
    else yield record;
    if (record.fault) return;
    if (record.isQuoted) place.line += countBreaks(text, record.start, record.end);
    place.at = record.end;
  }
}

/** Where reading has got to. */
interface Place {
  at: number;
  line: number;
}

/** Returns the cells of a record, or only the first of them. Returns none if it has a fault. */
export function cutCells({ source, start, size, fault }: CsvRecord, most = size): string[] {
  const cells: string[] = [];
  for (let at = start; cells.length < Math.min(most, size) && !fault; ) {
    const closed = findQuotedEnd(source, at);
    const end = closed ?? findPlainEnd(source, at);
    const cell = source.text.slice(at, end);
    cells.push(closed === undefined ? cell : cell.slice(1, -1).replaceAll('""', '"'));
    at = end + 1;
  }
  return cells;
}

/** Moves to the next line that has more than blanks and separators. Returns false if none has. */
function skipEmptyLines({ text, separator }: Source, place: Place): boolean {
  let { at: start, line } = place;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isBreak(code)) {
      if (code === lineFeed || text.charCodeAt(at + 1) !== lineFeed) line += 1;
      start = at + 1;
    } else if (code !== space && code !== tab && code !== separator) {
      place.at = start;
      place.line = line;
      return true;
    }
  }
  return false;
}

/** Reads a line in one pass. Returns undefined if it has quotes, as few lines do. */
function readPlain(source: Source, { at: start, line }: Place): CsvRecord | undefined {
  const { text, separator, lenient } = source;
  const highest = Math.max(separator, quote);
  let size = 1;
  let widest = 0;
  let from = start;
  let end = start;
  for (; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code > highest) continue;
    if (code === quote) return undefined;
    if (isBreak(code)) break;
    if (code !== separator) continue;
    widest = Math.max(widest, end - from);
    from = end + 1;
    size += 1;
    if (size > mostCells && !lenient) break;
  }
  widest = Math.max(widest, end - from);
  const fault = judgeExtent(source, size, widest);
  return { line, size, widest, fault, source, start, end, isQuoted: false };
}

/** Reads a record cell by cell. It may span lines. */
function readQuoted(source: Source, { at: start, line }: Place): CsvRecord {
  const { text, separator, lenient } = source;
  let size = 0;
  let widest = 0;
  let end = start - 1;
  let fault: CsvRecord['fault'];
  do {
    const from = end + 1;
    const closed = findQuotedEnd(source, from);
    end = closed ?? findPlainEnd(source, from);
    size += 1;
    widest = Math.max(widest, end - from);
    const isWrong = !lenient && closed === undefined && text.slice(from, end).includes('"');
    fault = isWrong ? 'quotes' : judgeExtent(source, size, widest);
  } while (text.charCodeAt(end) === separator && !fault);
  return { line, size, widest, fault, source, start, end, isQuoted: true };
}

function judgeExtent({ lenient }: Source, size: number, widest: number): CsvRecord['fault'] {
  if (lenient) return undefined;
  if (widest > longestCell) return 'length';
  return size > mostCells ? 'cells' : undefined;
}

function findPlainEnd({ text, separator }: Source, start: number): number {
  let at = start;
  while (at < text.length && !isCellEnd(text.charCodeAt(at), separator)) at += 1;
  return at;
}

/** Returns undefined if the cell is not quoted as a whole, as far as a cell may be long. */
function findQuotedEnd({ text, separator, lenient }: Source, start: number): number | undefined {
  if (text.charCodeAt(start) !== quote) return undefined;
  let at = text.indexOf('"', start + 1);
  while (at !== -1 && text.charCodeAt(at + 1) === quote && at - start <= longestCell) {
    at = text.indexOf('"', at + 2);
  }
  if (at === -1) return undefined;
  if (at - start > longestCell) return lenient ? undefined : at;
  const end = at + 1;
  return end === text.length || isCellEnd(text.charCodeAt(end), separator) ? end : undefined;
}

function isCellEnd(code: number, separator: number): boolean {
  return code === separator || isBreak(code);
}

function isBreak(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

/** Two that belong together count once. */
function countBreaks(text: string, from: number, until: number): number {
  let breaks = 0;
  for (let at = from; at < until; at += 1) {
    const code = text.charCodeAt(at);
    const isEnd = code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed;
    if (code === lineFeed || isEnd) breaks += 1;
  }
  return breaks;
}

/** Looks at the first letter, which tells of most records that they are not. */
function isBlank(record: CsvRecord): boolean {
  const { text, separator } = record.source;
  const first = text.charCodeAt(record.start);
  const tells = first !== quote && first !== separator && text.charAt(record.start).trim() !== '';
  if (tells || record.fault || record.size > mostCells) return false;
  return cutCells(record).every((cell) => cell.trim() === '');
}
