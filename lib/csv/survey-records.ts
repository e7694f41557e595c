const quote = 34;
const comma = 44;
const space = 32;
const lineFeed = 10;
const carriageReturn = 13;
const afterAscii = 128;

export interface RecordSurvey {
  readonly records: number;
  /** The bytes of the longest cell of each column, with its quotes. */
  readonly longest: readonly number[];
}

/**
 * Counts the records of a CSV in UTF-8 and measures the longest cell of each column in one pass over
 * its bytes, which takes a tenth of the time of splitting it. Returns undefined for anything that
 * needs a closer look, such as a wrong number of cells, a record of blank cells, or misplaced
 * quotes.
 */
export function surveyRecords(
  bytes: Uint8Array,
  from: number,
  columns: number,
): RecordSurvey | undefined {
  const longest = new Array<number>(columns).fill(0);
  let records = 0;
  let at = from;
  while (at < bytes.length) {
    if (!isLineEnd(bytes[at])) {
      at = surveyRecord(bytes, at, longest);
      if (at === -1) return undefined;
      records += 1;
    }
    at += 1;
  }
  return { records, longest };
}

/** The bytes that end a cell, and the quote, which may not be within one. */
const ends = new Uint8Array(256);
for (const code of [comma, lineFeed, carriageReturn, quote]) ends[code] = 1;

/** Returns the end of a record, or -1. */
function surveyRecord(bytes: Uint8Array, from: number, longest: number[]): number {
  let start = from;
  for (let column = 0; column < longest.length; column += 1) {
    const at = findCellEnd(bytes, start);
    if (at === -1) return -1;
    if (at - start > (longest[column] ?? 0)) longest[column] = at - start;
    if (bytes[at] !== comma) {
      return column === longest.length - 1 && hasContent(bytes, from, at) ? at : -1;
    }
    start = at + 1;
  }
  return -1;
}

function findCellEnd(bytes: Uint8Array, start: number): number {
  let at = start;
  while (ends[bytes[at] ?? lineFeed] === 0) at += 1;
  if (bytes[at] !== quote) return at;
  return at === start ? findQuotedEnd(bytes, at) : -1;
}

function findQuotedEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  do {
    at = bytes.indexOf(quote, at + 1) + 1;
    if (at === 0) return -1;
  } while (bytes[at] === quote);
  const isEnd = at === bytes.length || bytes[at] === comma || isLineEnd(bytes[at]);
  return isEnd ? at : -1;
}

/** Finds a visible character of ASCII. There are blanks beyond it. */
function hasContent(bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    const code = bytes[at] ?? space;
    if (code > space && code < afterAscii && code !== comma && code !== quote) return true;
  }
  return false;
}

function isLineEnd(code: number | undefined): boolean {
  return code === lineFeed || code === carriageReturn;
}
